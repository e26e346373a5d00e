// What the rules of the tables are in words. Imports nothing of ours.
/** The rules of the tables that a person can break, at the terminal or in a form, in words; by the constraint's name. */
const RULES: Readonly<Record<string, string>> = {
  workspaces_id_format: 'An id has 1 to 64 of A-Z a-z 0-9 . _ : -',
  workspaces_name_length: 'A name has 1 to 255 characters',
  workspaces_plan_fkey: 'There is no such plan: the plans are free and pro',
  members_email_folded: 'That is no e-mail address',
  members_added_before: 'That person is a member already: change the role in the list',
  members_last_owner: 'A workspace keeps an owner: make somebody else an owner first',
  test_invitations_hourly: 'Ten test mails have been sent to you within the hour: please wait',
  surveys_id_format: 'An id has 1 to 64 of A-Z a-z 0-9 . _ : -',
  surveys_title_length: 'A title has 1 to 255 characters',
  surveys_public_url_http: 'A public address begins with http:// or https://, and has at most 2000 characters',
  trigger_tokens_name_length: 'A name has 1 to 255 characters',
  trigger_tokens_cooldown_range: 'A cooldown is from 0 to 86400 seconds',
  trigger_tokens_subject_length: 'A subject is one line of 1 to 255 characters',
  trigger_tokens_message_length: 'A message has 1 to 65536 bytes',
  trigger_tokens_reminder_subject_length: 'A reminder subject is one line of at most 255 characters',
  trigger_tokens_reminder_message_length: 'A reminder message has at most 65536 bytes',
  trigger_tokens_reminder_range: 'Reminder days are from 0 to 365',
};

/** The rule whose error says itself what is wrong: which question, and what of it. */
const SELF_EXPLAINING = 'surveys_questions_form';

/** The rule that a database error is about, as a sentence; undefined if it is about none of them. */
export function ruleOf(error: unknown): string | undefined {
  const { constraint_name: name = '', message } = (error ?? {}) as { constraint_name?: string; message?: string };
  if (name === SELF_EXPLAINING) return message;
  const rule = RULES[name];
  return rule === undefined ? undefined : `${rule}.`;
}
