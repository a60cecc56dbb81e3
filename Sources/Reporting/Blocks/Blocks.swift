/// What a section of a result is made of. Each output has a renderer: ``HTMLRenderer``, ``TextRenderer``,
/// ``MarkdownRenderer``; tables of data are written by ``ResultCSV``.
indirect enum Block {
  case heading(Words)
  case paragraph(Words, Look = .plain)
  /// Sentences; a page folds away those beyond so many.
  case list([Words], shown: Int = .max)
  case table(Table)
  case figure(Figure)
  /// Figures beside each other; a page folds away those beyond so many.
  case figures([Figure], shown: Int, rest: String)
  case fold(String, [Block])
  /// Beside each other where there is room.
  case columns([[Block]])
  /// For pages alone, or for text alone.
  case page([Block])
  case text([Block])

  enum Look: String { case plain = "", faint = "mut", warning = "warn", answer }
}

/// A table whose first column names its rows.
struct Table {
  struct Column {
    var title: Words
    var isNumber: Bool

    init(_ title: Words, number: Bool = false) {
      self.title = title
      isNumber = number
    }

    static func number(_ title: Words) -> Column { Column(title, number: true) }
  }

  /// For readers who cannot see it.
  var label: String
  var columns: [Column]
  var rows: [[Words]]
  /// Its cells are sentences, and share the width of the page.
  var isFluid = false
  /// Rows that stand back.
  var faintRows: Set<Int> = []
}

/// A chart with its title, what it shows in a sentence, and the same as a table.
struct Figure {
  var title: Words
  var takeaway: Words
  var chart: Markup
  /// What stands below it.
  var below: Markup = ""
  var table: Table?
  var isWide = false
}

/// A part of a result under one title.
struct Section {
  /// Within the page.
  var id: String
  var title: String
  var blocks: [Block]

  init(_ id: String, _ title: String, _ blocks: [Block]) {
    self.id = id
    self.title = title
    self.blocks = blocks
  }
}

extension [Block] {
  /// Nothing at all, rather than a heading without what it is of.
  static func under(_ heading: Words, _ blocks: [Block]) -> [Block] {
    blocks.isEmpty ? [] : [.heading(heading)] + blocks
  }
}
