/// The style sheet of pages. Colours are variables, so that one drawing serves light, dark and paper.
enum ReportStyle {
  static let css = """
    :root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--mut:#57606a;--box:#f6f8fa;--rule:#d0d7de;--link:#0550ae;
    --grid:#e4e8ec;--bar:#3b6fb6;--heat:#0b3d91;--s0:#0072b2;--s1:#b35900;--s2:#007a5a;--s3:#b0306e;--s4:#5a4fb3;--s5:#5f5f5f;
    --f0:#8c2d04;--f1:#a6611a;--f2:#c98a1b;--f3:#7a7a7a;--f4:#525252;--f5:#9a9a9a;--f6:#7b68b8;--f7:#c2591a;--f8:#2166ac;--f9:#b8b8b8}
    @media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--mut:#9da7b3;--box:#161b22;--rule:#30363d;--link:#79c0ff;
    --grid:#222a33;--bar:#6ea8fe;--heat:#8ec5ff;--s0:#58a6e8;--s1:#f0a04b;--s2:#4cc9a0;--s3:#f27cb5;--s4:#a9a0f5;--s5:#b4b4b4;
    --f0:#e0896a;--f1:#d9a066;--f2:#f0c15a;--f3:#8f8f8f;--f4:#b5b5b5;--f5:#6f6f6f;--f6:#b3a4f0;--f7:#f28f4f;--f8:#6cb0f0;--f9:#4f4f4f}}
    @media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--mut:#444;--box:#fff;--rule:#bbb;--link:#000;--grid:#ddd;--bar:#3b6fb6;
    --heat:#0b3d91;--s0:#0072b2;--s1:#b35900;--s2:#007a5a;--s3:#b0306e;--s4:#5a4fb3;--s5:#5f5f5f;--f0:#8c2d04;--f1:#a6611a;--f2:#c98a1b;
    --f3:#7a7a7a;--f4:#525252;--f5:#9a9a9a;--f6:#7b68b8;--f7:#c2591a;--f8:#2166ac;--f9:#b8b8b8}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    .b0{--c:var(--f7)}.b1{--c:var(--f6)}.b2{--c:var(--f2)}.b3{--c:var(--f4)}.b4{--c:var(--f0)}.b5{--c:var(--s3)}.b6{--c:var(--s2)}.b7{--c:var(--f1)}.b8{--c:var(--f3)}.b9{--c:var(--f9)}.aim{--c:var(--f8)}
    .stacked{margin:.5rem 0 .8rem}.stack{display:flex;height:26px;border-radius:5px;overflow:hidden;margin:.2rem 0 .3rem}.stack i{background:var(--c);border-right:1px solid var(--bg)}
    .key{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem}.key li{font-size:.92rem}.key i{display:inline-block;width:.8em;height:.8em;border-radius:2px;background:var(--c);margin-right:.35em}
    .caveat{display:inline-block;background:var(--box);border:1px solid var(--rule);border-radius:6px;padding:.15rem .6rem;margin:.3rem 0;font-size:.92rem;color:var(--mut);max-width:100ch}
    nav.top{position:sticky;top:0;background:var(--bg);z-index:2;border-bottom:1px solid var(--rule);margin:.4rem 0 0;padding:.35rem max(16px,calc((100% - 1120px)/2 + 16px))}nav.top a{margin-bottom:0}
    h2.first{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}[id]{scroll-margin-top:3rem}
    .answer th .k{width:auto}.cols td.n,.cols .ci{white-space:normal}.cols th.n{min-width:0}.cols tbody th .k{min-width:7rem}.cols th,.cols td{padding-right:.6rem}.below{display:block;white-space:normal;font-weight:400}tr.mut th,tr.mut td{color:var(--mut)}
    .plausible{stroke:var(--mut);stroke-opacity:.3;stroke-width:7}.plausible.s0,.plausible.s1,.plausible.s2,.plausible.s3,.plausible.s4,.plausible.s5{stroke:var(--c)}
    .l.off{fill:var(--mut)}.l.on{font-weight:600}.m.hollow{stroke:var(--mut)}
    details.all>summary{font-size:1.15rem;margin:2.2rem 0 .6rem;padding:.6rem 0;border-top:1px solid var(--rule);font-weight:600}
    body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,"Liberation Sans",Arial,sans-serif}
    header,main,footer{max-width:1120px;margin:0 auto;padding:0 16px}
    h1{font-size:1.7rem;line-height:1.2;margin:1.4rem 0 .3rem;overflow-wrap:anywhere}
    h2{font-size:1.3rem;margin:2.4rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--rule)}
    h3{font-size:1rem;margin:0 0 .2rem;overflow-wrap:anywhere}
    p,li{max-width:72ch;overflow-wrap:anywhere}
    .lead{font-size:1.2rem;margin:.2rem 0 .6rem}
    .mut,.ci,figcaption p{color:var(--mut)}
    .ci{font-size:.88em;white-space:nowrap}
    a{color:var(--link)}
    nav{margin:.8rem 0}nav a{display:inline-block;margin:0 .9rem .3rem 0}
    bdi{unicode-bidi:isolate}
    code,pre{font:.9em/1.45 ui-monospace,"Liberation Mono",monospace;overflow-wrap:anywhere}
    pre{background:var(--box);border:1px solid var(--rule);border-radius:6px;padding:.7rem;overflow:auto;max-height:32rem}
    pre.wrap{white-space:pre-wrap}
    .answer{margin-top:.8rem}
    .scroll{overflow-x:auto;max-width:100%;position:relative}
    table{border-collapse:collapse;font-size:.9rem;margin:.4rem 0}
    th,td{padding:.28rem .7rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
    th{font-weight:600}thead th{vertical-align:bottom}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}th.n{min-width:5.5rem}
    .k{max-width:22rem;width:max-content;overflow-wrap:break-word}th .k{max-width:17rem}td.n .ci{display:block}
    .answer+.charts,.answer+h3{margin-top:1.2rem}
    table.fluid{width:100%;min-width:620px}.fluid .k,.fluid th .k{width:auto;max-width:none;min-width:4rem}
    [data-path]{white-space:nowrap}.answer p{margin:.5rem 0}.answer ul{margin:.5rem 0;padding-left:1.3rem}.answer li,.answer p{max-width:90ch}
    .cols{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:.6rem 2.5rem;align-items:start}
    .cols>div{min-width:0}.warn{border-left:5px solid var(--s1);background:var(--box);padding:.3rem 1rem}
    .charts+h3,.scroll+h3,details+h3,ul+h3{margin-top:1.2rem}
    .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:1.2rem 2rem;align-items:start}
    figure{margin:0;min-width:0;break-inside:avoid}
    figcaption p{margin:.1rem 0 .4rem;font-size:.92rem}
    figure.wide{grid-column:1/-1}
    svg{display:block;width:100%;height:auto;max-width:640px;font:12px system-ui,"Liberation Sans",Arial,sans-serif}
    .wide svg{max-width:none;min-width:720px}
    text{fill:var(--fg);unicode-bidi:isolate}
    .l{paint-order:stroke;stroke:var(--bg);stroke-width:3px;stroke-linejoin:round}
    .tick{fill:var(--mut);font-size:11px}
    .small{font-size:11px}.num{font-variant-numeric:tabular-nums}
    .grid{stroke:var(--grid)}.axis{stroke:var(--mut)}
    .bar{fill:var(--bar)}.bar[class*=" s"]{fill:var(--c)}.swing{fill:var(--bg);stroke:var(--bar);stroke-width:1.4}.whisker{stroke:var(--fg);stroke-width:1.4}.leader{stroke:var(--mut);fill:none}
    .cell{fill:var(--heat)}.none{fill:none;stroke:var(--grid)}
    .s0{--c:var(--s0)}.s1{--c:var(--s1)}.s2{--c:var(--s2)}.s3{--c:var(--s3)}.s4{--c:var(--s4)}.s5{--c:var(--s5)}
    .curve{fill:none;stroke:var(--c);stroke-width:2}.band{fill:var(--c);fill-opacity:.16}
    .curve.d1{stroke-dasharray:7 4}.curve.d2{stroke-dasharray:2 3}
    .m{fill:var(--c);stroke:var(--bg);stroke-width:1}.m.hollow{fill:var(--bg);stroke:var(--mut);stroke-width:2}
    .front{fill:none;stroke:var(--mut);stroke-width:1.5;stroke-dasharray:5 4}
    .sent{fill:var(--mut)}.ribbon{fill-opacity:.45}.ribbon:hover{fill-opacity:.75}
    .f0{fill:var(--f0)}.f1{fill:var(--f1)}.f2{fill:var(--f2)}.f3{fill:var(--f3)}.f4{fill:var(--f4)}
    .f5{fill:var(--f5)}.f6{fill:var(--f6)}.f7{fill:var(--f7)}.f8{fill:var(--f8)}.f9{fill:var(--f9)}
    .level{fill:none;stroke:var(--fg);stroke-width:1.2}.state{fill:var(--mut);fill-opacity:.35}.state.lpm{fill:var(--s1);fill-opacity:.75}
    .state.charge{fill:var(--s2);fill-opacity:.6}.state.off{fill:var(--s5);fill-opacity:.7}
    .meter{display:block;height:5px;background:var(--grid);margin-top:2px;min-width:5rem}
    .meter i{display:block;height:5px;background:var(--bar)}
    .hit{fill:transparent}.hit:hover{fill:var(--c)}.said{display:none}.said:target{display:block;background:var(--box);border-left:5px solid var(--s1);padding:.3rem 1rem;margin:.4rem 0}
    summary{cursor:pointer;color:var(--link)}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px}
    .tag{display:inline-block;border:1px solid var(--rule);border-radius:4px;padding:0 .35rem;font-size:.85em;white-space:nowrap}
    .bad{border-color:var(--s3);color:var(--s3);font-weight:600}.good{border-color:var(--s2);color:var(--s2);font-weight:600}
    footer{margin:2.5rem auto 2rem;color:var(--mut);font-size:.9rem}
    @media(max-width:600px){.answer ul{padding-left:1rem}table,tbody,tr,td,tbody th{display:block;width:100%}thead{display:none}table.fluid{min-width:0}tr{padding:.45rem 0;border-bottom:1px solid var(--rule)}
    td,tbody th{border:0;padding:.05rem 0}td.n{text-align:left;white-space:normal}td[data-title]:not([data-title=""])::before{content:attr(data-title) ": ";color:var(--mut)}td .k{display:inline;max-width:none}th .k{max-width:none;width:auto}td.n .ci{display:inline}
    .meter{max-width:12rem}figcaption p{max-width:none}nav.top a{margin-right:.7rem}.ci,.ci span{white-space:normal}}
    @media print{body{font-size:10.5pt}nav,details:not([open])>summary{display:none}h2,h3{break-after:avoid}tr{break-inside:avoid}
    .scroll,pre{overflow:visible;max-height:none}pre{white-space:pre-wrap}table{font-size:8pt}.k{width:auto;max-width:none;min-width:0;overflow-wrap:normal}.ci{white-space:normal}nav.top{display:none}
    .charts{grid-template-columns:1fr 1fr;gap:.8rem 1.2rem}table.fluid{min-width:0}.k,th .k{min-width:0}section>p{break-after:avoid;break-inside:avoid}p,li{orphans:3;widows:3}svg{max-width:13cm}.wide svg{min-width:0;max-width:none}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """
}
