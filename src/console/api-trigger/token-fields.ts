// The fields of a trigger token's form: how each is shown, read and checked. A new setting gets one entry here.
import type { TokenFields } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { readReminders } from '../../text.ts';
import { type Field, field } from '../components.ts';

interface TokenField extends Pick<Field, 'label' | 'hint' | 'rows' | 'more'> {
  /** The constraints that its value may break. The first one is also for a text that isn't a value. */
  readonly rules: readonly string[];
  /** The value of the text. Undefined: the text isn't one. If omitted: the text is the value. */
  readonly parse?: (text: string) => number | readonly number[] | undefined;
  /** A text with template variables, of which misspelt ones are refused. */
  readonly isTemplate?: boolean;
  /** Removes the spaces that the text is stored without. */
  readonly read: (text: string) => string;
}

const NUMBER = html` required inputmode="numeric"`;
const readNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
const trim = (text: string): string => text.trim();

/** In the order of the form. */
export const TOKEN_FIELDS: { readonly [F in keyof TokenFields]: TokenField } = {
  name: {
    label: 'Name',
    hint: 'The system that will use it, e.g. Order system',
    more: html` required maxlength="255" autocomplete="off"`,
    rules: ['trigger_tokens_name_length', 'trigger_tokens_name_marks'],
    read: trim,
  },
  cooldownSeconds: {
    label: 'Cooldown',
    hint: 'Minimum wait between requests, in seconds (0–86,400)',
    more: NUMBER,
    rules: ['trigger_tokens_cooldown_range', 'trigger_tokens_by_hand'],
    parse: readNumber,
    read: trim,
  },
  defaultSubject: {
    label: 'Subject',
    more: html` required maxlength="255"`,
    rules: ['trigger_tokens_subject_length', 'trigger_tokens_subject_marks'],
    isTemplate: true,
    read: trim,
  },
  defaultMessage: {
    label: 'Message',
    rows: 9,
    hint: html`Plain text with <code>{{recipient_name}}</code>, <code>{{workspace_name}}</code>, <code>{{survey_title}}</code> and <code>{{survey_link}}</code>. Without <code>{{survey_link}}</code>, the link comes at the end. See in the preview what a recipient without a name reads.`,
    rules: ['trigger_tokens_message_length', 'trigger_tokens_message_size'],
    isTemplate: true,
    read: (text) => text,
  },
  defaultReminders: {
    label: 'Days until the reminders',
    hint: "Up to five, such as 3, 7, 14; 0 sends none. People who responded aren't reminded.",
    more: html` required autocomplete="off"`,
    rules: ['trigger_tokens_reminders_ascending'],
    parse: readReminders,
    read: trim,
  },
  defaultReminderSubject: {
    label: 'Reminder subject',
    hint: 'If empty, “Reminder: ” and the subject.',
    more: html` maxlength="255"`,
    rules: ['trigger_tokens_reminder_subject_length', 'trigger_tokens_reminder_subject_marks'],
    isTemplate: true,
    read: trim,
  },
  defaultReminderMessage: {
    label: 'Reminder message',
    rows: 4,
    hint: 'If empty, the message above.',
    rules: ['trigger_tokens_reminder_message_length', 'trigger_tokens_reminder_message_size'],
    isTemplate: true,
    read: (text) => text.trimEnd(),
  },
};

export const TOKEN_FIELD_NAMES = Object.keys(TOKEN_FIELDS) as (keyof TokenFields)[];

/** One field of the form. */
export function tokenField(name: keyof TokenFields, state: { value: string; error?: string | undefined }): Html {
  const { label, hint, rows, more } = TOKEN_FIELDS[name];
  return field({ name, label, hint, rows, more, ...state } as Field);
}
