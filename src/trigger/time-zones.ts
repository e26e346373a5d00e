// The names of time zones that the database knows. Requests are parsed without waiting for the database, so this process keeps the names. It
// reads them when a request has a name that it doesn't know, but at most once a minute: the database may have learned new ones.
import { foldAscii } from '../text.ts';

/** Milliseconds. */
const READ_EVERY = 60_000;

export type IsTimeZone = (name: string) => boolean;

export class TimeZones {
  readonly #read: () => Promise<readonly string[]>;
  readonly #clock: () => number;
  #names: ReadonlySet<string> = new Set();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  /** @param clock Milliseconds; for tests. */
  constructor(read: () => Promise<readonly string[]>, clock = () => performance.now()) {
    this.#read = read;
    this.#clock = clock;
  }

  /**
   * Calls a parser that throws if a name isn't a time zone. It is called again if the names have been read meanwhile.
   * Rejects with the parser's error, or with the database's.
   */
  async parse<T>(parser: (isTimeZone: IsTimeZone) => T): Promise<T> {
    let isUnknown = false;
    try {
      return parser((name) => {
        isUnknown ||= !this.#has(name);
        return this.#has(name);
      });
    } catch (error) {
      const before = this.#names;
      if (isUnknown) await this.#refresh();
      if (this.#names === before) throw error;
      return parser((name) => this.#has(name));
    }
  }

  /** In any case, as in SQL. */
  #has(name: string): boolean {
    return this.#names.has(foldAscii(name));
  }

  #refresh(): Promise<void> | undefined {
    if (this.#clock() - this.#readAt < READ_EVERY) return undefined;
    this.#reading ??= this.#read()
      .then((names) => {
        this.#names = new Set(names.map(foldAscii));
        this.#readAt = this.#clock();
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }
}
