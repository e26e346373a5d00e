// Texts of questions that the service says in each of its languages, so that a survey made of them needs no translation. A form of a language without
// its own texts takes that language's (es-419 those of es). Pure.
import { ar } from './questions/ar.ts';
import { cs } from './questions/cs.ts';
import { da } from './questions/da.ts';
import { de } from './questions/de.ts';
import { el } from './questions/el.ts';
import { en, type QuestionStrings } from './questions/en.ts';
import { es } from './questions/es.ts';
import { fi } from './questions/fi.ts';
import { fr } from './questions/fr.ts';
import { he } from './questions/he.ts';
import { hi } from './questions/hi.ts';
import { hu } from './questions/hu.ts';
import { id } from './questions/id.ts';
import { it } from './questions/it.ts';
import { ja } from './questions/ja.ts';
import { ko } from './questions/ko.ts';
import { nb } from './questions/nb.ts';
import { nl } from './questions/nl.ts';
import { pl } from './questions/pl.ts';
import { pt } from './questions/pt.ts';
import { ptPT } from './questions/pt-PT.ts';
import { ro } from './questions/ro.ts';
import { ru } from './questions/ru.ts';
import { sv } from './questions/sv.ts';
import { th } from './questions/th.ts';
import { tr } from './questions/tr.ts';
import { uk } from './questions/uk.ts';
import { vi } from './questions/vi.ts';
import { zhHans } from './questions/zh-Hans.ts';
import { zhHant } from './questions/zh-Hant.ts';

export const QUESTION_LANGUAGES: Readonly<Record<string, QuestionStrings>> = {
  en,
  de,
  fr,
  es,
  pt,
  'pt-PT': ptPT,
  it,
  nl,
  nb,
  sv,
  da,
  fi,
  pl,
  cs,
  ja,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  ko,
  tr,
  uk,
  ro,
  hu,
  el,
  vi,
  th,
  id,
  hi,
  ru,
  ar,
  he,
};

const NAMES = new Map(Object.entries(en).map(([name, text]) => [text as string, name as keyof QuestionStrings]));

/** The English texts. */
export const QUESTION_TEXTS = [...NAMES.keys()];

/** Undefined: the service doesn't say this text. @param text In English. */
export function questionTextIn(text: string, language: string): string | undefined {
  const name = NAMES.get(text);
  const texts = QUESTION_LANGUAGES[language] ?? QUESTION_LANGUAGES[language.split('-')[0] ?? ''];
  return name && texts?.[name];
}
