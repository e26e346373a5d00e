// How a workspace speaks: in the languages of the service, with its own words over ours, and in languages that only it has words for. Pure.
import { en, type Strings } from './en.ts';
import { questionTextIn } from './question-texts.ts';
import { INFORMAL, LANGUAGE_TAGS, LANGUAGES, type Language, OWN_NAMES, VARIANTS } from './strings.ts';
import { canonicalTag, nearestTag, remembered } from './tags.ts';
import { createVoice, type Voice } from './voice.ts';

/** What a workspace has changed in one language. */
export interface OwnLanguage {
  readonly informal: boolean;
  /** Texts by name. */
  readonly words: Readonly<Record<string, string>>;
}

/** By tag. Type of the SQL function find_wording. */
export type Wording = Readonly<Record<string, OwnLanguage>>;

export interface Speech {
  /** The language in which readers of this tag are spoken to. Undefined: there is none. */
  knows(tag: string): string | undefined;
  /**
   * The first tag that is spoken, or English.
   * @param tags The recipient's tag, the request's and the survey's, in this order.
   */
  languageOf(...tags: readonly (string | null | undefined)[]): string;
  /** @param language Of knows() or languageOf(). */
  speak(language: string): Voice;
  /** A default text of a table in a language. Undefined: the text is not a default text. */
  translateDefault(text: string, language: string): string | undefined;
}

/** The tables' default texts. Emails and pages show them in the recipient's language as long as nobody has changed them. */
const DEFAULTS = [
  'defaultSubject',
  'defaultMessage',
  'recommend',
  'leastLikely',
  'mostLikely',
  'mainReason',
] as const satisfies (keyof Strings)[];

function speechOf(tags: readonly string[], voiceOf: (language: string) => Voice): Speech {
  const knows = remembered((tag): string | undefined => nearestTag(tag, tags));
  return {
    knows,
    languageOf(...wanted) {
      for (const tag of wanted) {
        const known = typeof tag === 'string' ? knows(tag) : undefined;
        if (known !== undefined) return known;
      }
      return 'en';
    },
    speak: voiceOf,
    translateDefault(text, language) {
      const name = DEFAULTS.find((key) => en[key] === text);
      return name === undefined ? questionTextIn(text, baseOf(language) ?? language) : voiceOf(language).text(name);
    },
  };
}

const voices = new Map<string, Voice>(LANGUAGE_TAGS.map((tag) => [tag, createVoice(tag, LANGUAGES[tag])]));
const english = createVoice('en', en);

/** Of a workspace without words of its own. */
export const SERVICE: Speech = speechOf(LANGUAGE_TAGS, (language) => voices.get(language) ?? english);

/** The language of the service over which a workspace words this one, as the SQL function wording_base says. Undefined: there is none. */
const baseOf = remembered((tag): Language | undefined => {
  const nearest = nearestTag(tag, LANGUAGE_TAGS);
  return nearest !== undefined && nearest.split('-')[0] === tag.split('-')[0] ? nearest : undefined;
});

/** What a language is worded with, the first below the others: `de`, `de-CH` for `de-CH`, and `de`, `de-AT` for `de-AT`. */
const layersOf = (tag: string, base: Language | undefined): string[] => [
  ...new Set([...(base === undefined ? [] : [VARIANTS[base] ?? base, base]), tag]),
];

const isOwnName = (name: string): boolean => OWN_NAMES.some((known) => known === name);

function stringsOf(tag: string, wording: Wording): Strings {
  const base = baseOf(tag);
  const layers = layersOf(tag, base).flatMap((layer) => (Object.hasOwn(wording, layer) ? (wording[layer] ?? []) : []));
  const words = layers.flatMap(({ words }) => Object.entries(words)).filter(([name]) => isOwnName(name));
  return {
    ...LANGUAGES[base ?? 'en'],
    ...(base !== undefined && layers.some(({ informal }) => informal) && INFORMAL[base]),
    ...Object.fromEntries(words),
  };
}

/** @param wording Its languages that are complete, or that we have too. */
export function createSpeech(wording: Wording): Speech {
  const own = Object.keys(wording).filter((tag) => canonicalTag(tag) === tag);
  const isChanged = (tag: string) => layersOf(tag, baseOf(tag)).some((layer) => own.includes(layer));
  const changed = new Map<string, Voice>();
  return speechOf([...new Set([...LANGUAGE_TAGS, ...own])], (language) => {
    if (!isChanged(language)) return SERVICE.speak(language);
    const voice = changed.get(language) ?? createVoice(language, stringsOf(language, wording));
    changed.set(language, voice);
    return voice;
  });
}
