// The recipient that a line of a list names, checked as the endpoint checks one. Pure.
import type { Recipient, UploadColumn } from '../database/store.ts';
import { canonicalTag, knownLanguage, LANGUAGE_TAGS } from '../languages/languages.ts';
import { readRecipients } from '../trigger/recipients.ts';
import type { PayloadLimits } from '../trigger/schema.ts';
import type { IsTimeZone } from '../trigger/time-zones.ts';
import { ErrorList } from '../trigger/validation-errors.ts';

export interface LineRules {
  readonly columns: readonly UploadColumn[];
  readonly limits: PayloadLimits;
  readonly isTimeZone: IsTimeZone;
  /** Whether the workspace is a test, in which people can be simulated. */
  readonly isTest: boolean;
}

/** The beginning of the sentence about a field. */
const FIELDS: Readonly<Record<string, string>> = {
  email: 'The address',
  name: 'The name',
  language: 'The language',
  time_zone: 'The time zone',
  metadata: 'What the columns of details say',
};

/** Each language by its names in English and in itself. */
const LANGUAGES = new Map(
  LANGUAGE_TAGS.flatMap((tag) =>
    ['en', tag].map((voice) => [new Intl.DisplayNames(voice, { type: 'language' }).of(tag)?.toLowerCase() ?? tag, tag] as const),
  ),
);

const languageIn = (text: string): string => LANGUAGES.get(text.toLowerCase()) ?? text.replaceAll('_', '-');

/** `Ada Lovelace <ada@example.com>` */
const NAMED = /^\s*"?([^"<>]*)"?\s*<([^<>]*)>\s*$/;

/** @returns Either a recipient, or a sentence about each thing that is wrong. */
export function recipientOf(
  cells: readonly string[],
  { columns, limits, isTimeZone, isTest }: LineRules,
): { readonly recipient: Recipient } | { readonly problems: readonly string[] } {
  const of = (meaning: UploadColumn['as']) =>
    columns.flatMap(({ as, name }, place) => (as === meaning && cells[place] ? [[name, cells[place]] as const] : []));
  const [[, written] = ['', '']] = of('email');
  if (written === '') return { problems: ['There is no address.'] };
  const [, ownName = '', address = written] = NAMED.exec(written) ?? [];
  const name =
    of('name')
      .map(([, cell]) => cell)
      .join(' ') || ownName.trim();
  const language = of('language')[0]?.[1];
  const tag = language && languageIn(language);
  const zone = of('time_zone')[0]?.[1];
  const metadata = of('metadata').map(([heading, cell], place) => [heading || `column ${place + 1}`, cell] as const);
  if (tag && (canonicalTag(tag) === undefined || knownLanguage(tag) === undefined))
    return { problems: [`The language isn't one of the service: ${LANGUAGE_TAGS.join(', ')}.`] };
  const entry = {
    email: address,
    ...(name && { name }),
    ...(tag && { language: tag }),
    ...(zone && { time_zone: zone }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  };
  const errors = new ErrorList();
  const [recipient] = readRecipients({ emails: [entry] }, limits, isTimeZone, errors, isTest);
  const details = errors.toApiError()?.details ?? [];
  if (recipient !== undefined && details.length === 0) return { recipient };
  return {
    problems: details.map(({ field, message }) => `${FIELDS[/\.(\w+)/.exec(field)?.[1] ?? ''] ?? 'The line'} ${message}.`),
  };
}
