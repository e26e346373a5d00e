// Warnings in the response to an accepted request: probable mistakes, and why nothing is sent. Mistakes are never corrected. Pure.
import type { HoldReason, TriggerResult } from '../database/store.ts';
import { canonicalTag, knownLanguage, LANGUAGE_TAGS } from '../languages/languages.ts';
import { TEMPLATE_VARIABLES, unknownVariables } from '../mail/template.ts';
import { formatNumber, nearest, plural } from '../text.ts';
import { recipientsField } from './recipients.ts';
import { TriggerBody, type Warning } from './schema.ts';
import type { Fields } from './validation-errors.ts';

/** The most misspelled variables that are reported in one text, and the most unknown languages. */
const MAX_NAMED = 10;
/** Characters of a variable that a warning repeats. */
const MAX_NAME = 60;

const SECRETS = ['token', 'secret'];
const BODY_FIELDS = Object.keys(TriggerBody.properties).filter((name) => !SECRETS.includes(name));

/** Fields of the body that were sent in the query, where only the secret is read. */
export const misplacedFields = (query: object): string[] => BODY_FIELDS.filter((name) => Object.hasOwn(query, name));

type Unsent = Pick<TriggerResult & { outcome: 'accepted' }, 'holdReason' | 'suppressed'>;

/**
 * @param fields The valid fields of the body.
 * @param recipients The number of invitations that the request created.
 */
export function warningsOf(fields: Fields, recipients: number, { holdReason, suppressed }: Unsent): Warning[] {
  const { emails } = fields;
  const repeated = Array.isArray(emails) ? emails.length - recipients : 0;
  return [
    ...variableWarnings('subject', fields.subject),
    ...variableWarnings('message', fields.message),
    ...languageWarnings(fields),
    ...(repeated === 0
      ? []
      : [
          {
            code: 'repeated_recipient',
            field: 'emails',
            message: `${plural(repeated, 'repeated address was', 'repeated addresses were')} left out: ${plural(recipients, 'person is', 'people are')} invited.`,
          } as const,
        ]),
    ...(holdReason === null ? [] : [heldWarning(holdReason)]),
    ...(suppressed ? [suppressedWarning(suppressed, recipients, recipientsField(fields))] : []),
  ];
}

/** Hold reasons under which a request is accepted. The other reasons reject it. */
const HELD: Readonly<Partial<Record<HoldReason, Omit<Warning, 'field'>>>> = {
  survey_draft: {
    code: 'survey_not_active',
    message: 'The survey is a draft: nothing is sent until somebody activates it.',
  },
  survey_closed: {
    code: 'survey_not_active',
    message: 'The survey is closed: nothing is sent unless somebody opens it again.',
  },
  sending_paused: {
    code: 'sending_paused',
    message: 'Sending is paused for everyone: nothing is sent until the operator of the service resumes it.',
  },
  workspace_guarded: {
    code: 'sending_paused',
    message:
      'Sending is paused for the workspace, because too much of its email bounced or was reported as spam: nothing is sent until a person releases it.',
  },
  workspace_paused: {
    code: 'sending_paused',
    message: 'Sending is paused for the workspace: nothing is sent until an owner or admin resumes it.',
  },
  survey_paused: {
    code: 'sending_paused',
    message: 'Sending is paused for the survey: nothing is sent until an owner or admin resumes it.',
  },
};

/** The repetition of a request is answered under any reason, also one that would reject a new request. */
const heldWarning = (reason: HoldReason): Warning =>
  HELD[reason] ?? { code: 'sending_paused', message: 'Nothing is sent for now.' };

const suppressedWarning = (suppressed: number, recipients: number, field: string): Warning => ({
  code: 'suppressed_recipient',
  field,
  message:
    recipients === 1
      ? "The address is on the workspace's do-not-email list: nothing will be sent to it."
      : `${suppressed} of ${formatNumber(recipients)} addresses ${suppressed === 1 ? 'is' : 'are'} on the workspace's do-not-email list: nothing will be sent to ${suppressed === 1 ? 'it' : 'them'}.`,
});

/** Reports each unknown language once. */
function languageWarnings({ language, emails }: Fields): Warning[] {
  const entries = Array.isArray(emails) ? emails : [];
  const given = [['language', language], ...entries.map((entry, index) => [`emails[${index}].language`, entry?.language])];
  const unknown = new Map<string, string>();
  for (const [field, tag] of given) {
    if (typeof tag !== 'string' || tag === '' || unknown.has(tag)) continue;
    const canonical = canonicalTag(tag);
    if (canonical === undefined || knownLanguage(canonical) === undefined) unknown.set(tag, field);
  }
  return [...unknown].slice(0, MAX_NAMED).map(([tag, field]) => ({
    code: 'unknown_language',
    field,
    message: `${JSON.stringify(tag)} isn't one of the languages of the service: ${LANGUAGE_TAGS.join(', ')}. What the service itself says is in the next of the request's and the survey's language that it knows.`,
  }));
}

function variableWarnings(field: string, text: unknown): Warning[] {
  if (typeof text !== 'string' || !text.includes('{')) return [];
  const inOneBrace = TEMPLATE_VARIABLES.filter((name) => new RegExp(`(?<!\\{)\\{${name}\\}(?!\\})`).test(text));
  return [
    ...unknownVariables(text).map((name) => ({ written: `{{${name}}}`, near: nearest(name.trim(), TEMPLATE_VARIABLES) })),
    ...inOneBrace.map((name) => ({ written: `{${name}}`, near: name })),
  ]
    .slice(0, MAX_NAMED)
    .map(({ written, near }) => ({
      code: 'unknown_variable',
      field,
      message: `${written.length > MAX_NAME ? `${written.slice(0, MAX_NAME).toWellFormed()}…` : written} isn't a variable and is sent as it stands${near === undefined ? '.' : `; did you mean {{${near}}}?`}`,
    }));
}
