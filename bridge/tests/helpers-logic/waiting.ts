/** Waiting for something to hold without a clock: it is looked at whenever something happened. */

/** Those who wait. */
export class Waiting {
  readonly #looks = new Set<() => void>();

  /** Resolves as soon as it holds: looked at now, and each time that something happened. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  /** Something happened: whoever waits looks. */
  wake(): void {
    for (const look of this.#looks) look();
  }
}
