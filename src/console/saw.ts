// What a form showed when it was opened: digests of its texts in a hidden field, because all the texts could be too large for a form. Pure.
import { createHash } from 'node:crypto';
import { type Html, html } from '../html/html.ts';
import { textsInJson } from '../text.ts';

export type Digests = Readonly<Record<string, string>>;

/** The SQL function translated_original makes the same. */
export const digestOf = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, DIGEST);
/** Characters. */
export const DIGEST = 8;

const FIELD = 'saw';

export const sawField = (saw: Digests): Html => html`<input type="hidden" name="${FIELD}" value="${JSON.stringify(saw)}">`;

export const sawIn = (form: URLSearchParams): Digests => textsInJson(form.get(FIELD));
