extension EventQueue {
  /// Where the event stands among the entries; negative when it is not pending.
  @inlinable
  func position(of handle: EventHandle) -> Int {
    if isHeap {
      // A slot may have been given to another event since, and a position may be left over from a removed one.
      if Int(handle.slot) >= capacity { return -1 }
      let position = Int(positions[Int(handle.slot)])
      return position < count && entries[position].key == handle.key ? position : -1
    }
    var index = count - 1
    while index >= 0, entries[index].key != handle.key { index -= 1 }
    return index
  }

  /// Puts an entry into the sorted array, whose `count` includes it already.
  @inlinable
  @inline(__always)
  mutating func insert(_ entry: Entry) {
    var index = count - 1
    while index > 0, entries[index - 1].isBefore(entry) {
      entries[index] = entries[index - 1]
      index -= 1
    }
    entries[index] = entry
  }

  @inlinable
  @inline(__always)
  mutating func place(_ entry: Entry, at index: Int) {
    entries[index] = entry
    positions[Int(entry.slot)] = UInt32(truncatingIfNeeded: index)
  }

  /// Moves the hole at `start` towards the root until `entry` fits in.
  @inlinable
  mutating func siftUp(_ entry: Entry, from start: Int) {
    var hole = start
    while hole > 0 {
      let parent = (hole - 1) >> 1
      if !entry.isBefore(entries[parent]) { break }
      place(entries[parent], at: hole)
      hole = parent
    }
    place(entry, at: hole)
  }

  /// Moves the hole at `start` towards the leaves until `entry` fits in.
  @inlinable
  mutating func siftDown(_ entry: Entry, from start: Int) {
    var hole = start
    while true {
      var child = 2 * hole + 1
      if child >= count { break }
      if child + 1 < count, entries[child + 1].isBefore(entries[child]) { child += 1 }
      if !entries[child].isBefore(entry) { break }
      place(entries[child], at: hole)
      hole = child
    }
    place(entry, at: hole)
  }

  /// Closes the gap with the last entry; at half of the limit the heap becomes a sorted array again.
  @inlinable
  mutating func removeFromHeap(at position: Int) {
    pending -= 1
    if position < count {
      let last = entries[count]
      if position > 0, last.isBefore(entries[(position - 1) >> 1]) {
        siftUp(last, from: position)
      } else {
        siftDown(last, from: position)
      }
    }
    if count <= EventQueue.smallLimit / 2 { becomeSorted() }
  }

  @usableFromInline
  @inline(never)
  mutating func becomeHeap() {
    // Reversed, the sorted entries are a heap already.
    var first = 0
    var last = count - 1
    while first < last {
      let entry = entries[first]
      entries[first] = entries[last]
      entries[last] = entry
      first += 1
      last -= 1
    }
    for index in 0..<count { positions[Int(entries[index].slot)] = UInt32(truncatingIfNeeded: index) }
    isHeap = true
  }

  @usableFromInline
  @inline(never)
  mutating func becomeSorted() {
    isHeap = false
    let all = pending
    pending = 0
    while pending < all {
      let entry = entries[pending]
      pending += 1
      insert(entry)
    }
  }

  @usableFromInline
  @inline(never)
  mutating func grow() {
    precondition(capacity < 1 << 31, "more than 2³¹ pending events")
    let larger = capacity * 2
    entries = reallocate(entries, to: larger)
    freeSlots = reallocate(freeSlots, to: larger)
    positions = reallocate(positions, to: larger)
    for slot in capacity..<larger {
      freeSlots[slot] = UInt32(truncatingIfNeeded: slot)
      positions[slot] = 0
    }
    capacity = larger
  }

  private func reallocate<Element: BitwiseCopyable>(
    _ old: UnsafeMutablePointer<Element>, to larger: Int
  ) -> UnsafeMutablePointer<Element> {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    new.initialize(from: old, count: capacity)
    old.deallocate()
    return new
  }
}
