/** For what may fail without anybody having to know, such as giving up a stream that has ended already. */
export function ignore(): void {
  // Nothing to do.
}
