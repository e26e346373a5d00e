// The speech of each workspace that has words of its own, kept by the key that says which words: it changes when they do.
import { createSpeech, SERVICE, type Speech, type Wording } from './speech.ts';

/** Loads a wording. Null: there is none any more. */
export type FindWording = (key: string) => Promise<Wording | null>;

/** Characters of the wordings that are kept. The oldest are dropped for others. */
const MAX_KEPT = 8 * 1024 * 1024;

export class Speeches {
  readonly #find: FindWording;
  readonly #kept = new Map<string, { readonly speech: Speech; readonly size: number }>();
  #size = 0;

  constructor(find: FindWording) {
    this.#find = find;
  }

  /**
   * @param key Null: the workspace has no words of its own.
   * @throws As the call does.
   */
  async of(key: string | null): Promise<Speech> {
    if (key === null) return SERVICE;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.speech;
    const wording = (await this.#find(key)) ?? {};
    return this.#keep(key, createSpeech(wording), JSON.stringify(wording).length);
  }

  #keep(key: string, speech: Speech, size: number): Speech {
    if (this.#kept.has(key)) return speech;
    this.#kept.set(key, { speech, size });
    this.#size += size;
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
      this.#size -= size;
    }
    return speech;
  }
}
