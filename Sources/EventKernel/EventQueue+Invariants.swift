extension EventQueue {
  /// Stops the program when the storage contradicts itself; called after each change in a build with
  /// `-DCHECK_INVARIANTS`.
  ///
  /// - Complexity: O(pending events · log pending events).
  @usableFromInline
  package func checkInvariants() {
    precondition(count >= 0 && count <= capacity, "\(count) pending events in room for \(capacity)")
    precondition(isHeap || count <= EventQueue.smallLimit, "\(count) pending events in a sorted array")
    precondition(!isHeap || count > EventQueue.smallLimit / 2, "only \(count) pending events in a heap")
    for index in 0..<count {
      if isHeap {
        let parent = (index - 1) / 2
        precondition(index == 0 || entries[parent].isBefore(entries[index]), "heap order at \(index)")
        precondition(Int(positions[Int(entries[index].slot)]) == index, "position of entry \(index)")
      } else {
        precondition(index == 0 || entries[index].isBefore(entries[index - 1]), "sorted order at \(index)")
      }
    }
    var sequences: [UInt64] = []
    var slots: [UInt32] = []
    for index in 0..<count {
      sequences.append(entries[index].key & 0x00ff_ffff_ffff_ffff)
      slots.append(entries[index].slot)
    }
    for index in count..<capacity { slots.append(freeSlots[index]) }
    slots.sort()
    for (index, slot) in slots.enumerated() { precondition(index == Int(slot), "slot \(index) is lost") }
    sequences.sort()
    for index in sequences.indices.dropFirst() {
      precondition(sequences[index - 1] < sequences[index], "sequence number \(sequences[index]) twice")
    }
    precondition(sequences.last.map { $0 < sequence } ?? true, "a sequence number from the future")
  }
}
