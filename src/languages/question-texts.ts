// Texts of questions that the service says in each of its languages, so that a survey made of them needs no translation. SQL knows them by their
// English (sql/functions/languages/is_default_text.sql). A form of a language without its own text takes that language's (es-419 that of es). Pure.

/** By the English text, by language. */
export const QUESTION_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Yes: {
    de: 'Ja',
    fr: 'Oui',
    es: 'Sí',
    pt: 'Sim',
    it: 'Sì',
    nl: 'Ja',
    nb: 'Ja',
    sv: 'Ja',
    da: 'Ja',
    fi: 'Kyllä',
    pl: 'Tak',
    cs: 'Ano',
    ja: 'はい',
    'zh-Hans': '是',
    'zh-Hant': '是',
    ko: '예',
    tr: 'Evet',
    ar: 'نعم',
  },
  No: {
    de: 'Nein',
    fr: 'Non',
    es: 'No',
    pt: 'Não',
    it: 'No',
    nl: 'Nee',
    nb: 'Nei',
    sv: 'Nej',
    da: 'Nej',
    fi: 'Ei',
    pl: 'Nie',
    cs: 'Ne',
    ja: 'いいえ',
    'zh-Hans': '否',
    'zh-Hant': '否',
    ko: '아니요',
    tr: 'Hayır',
    ar: 'لا',
  },
};

/** Undefined: the service doesn't say this text. */
export function questionTextIn(text: string, language: string): string | undefined {
  const texts = Object.hasOwn(QUESTION_TEXTS, text) ? QUESTION_TEXTS[text] : undefined;
  return texts && (language === 'en' ? text : (texts[language] ?? texts[language.split('-')[0] ?? '']));
}
