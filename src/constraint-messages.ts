// Explains a rejected value or a missing right to people, at the terminal or in a form.

/** Text copied from a chat or a document can have them. */
export const DIRECTION_MARKS = 'This text has invisible marks that turn its direction. Type it again instead of pasting it';

/** Of each number of a cap. */
const CAP_RANGE = 'A limit is 1 to 10,000,000 emails';

/** Messages by the name of a table's constraint, or of one that a function raises. */
const MESSAGES: Readonly<Record<string, string>> = {
  workspaces_id_format: 'An id has 1 to 64 characters: letters, digits and . _ : -',
  workspaces_name_length: 'A name has 1 to 255 characters',
  workspaces_plan_fkey: 'No such plan: the plans are free and pro',
  workspaces_time_zone_length: 'Enter a time zone such as Europe/Berlin',
  workspaces_time_zone_known: 'Enter a time zone such as Europe/Berlin',
  workspaces_open_hours_form: 'Hours are quarters of an hour, and at least one of them is open',
  workspaces_closed_days_form: 'A closed day has a date, such as 2030-12-25',
  workspaces_closed_days_many: 'At most 1,000 closed days, or ranges of them',
  workspaces_rest_days_range: 'A rest is 1 to 365 days',
  workspaces_rest_days_kept: "A rest can't be longer than batches are kept, since it is looked up in them",
  workspaces_guard_note: 'Say in 1 to 1,000 characters what was done about it',
  workspaces_guard_operator:
    'It was released within the last seven days already. Ask the people who run this service to look at it, and to release it',
  guard_limits_outcome: 'Limits are for bounced and complained',
  guard_limits_hours_range: 'A limit counts the last 1 to 168 hours',
  guard_limits_shares: 'The share to warn at is more than 0, and not more than the share to pause at, which is at most 100%',
  guard_limits_minimums: 'The minimums are at least 1',
  caps_domain_form: 'Enter a domain such as example.com',
  caps_scope_own: 'A shared limit belongs to no workspace',
  caps_per_hour_range: CAP_RANGE,
  caps_per_day_range: CAP_RANGE,
  caps_own_per_hour_range: CAP_RANGE,
  caps_own_per_day_range: CAP_RANGE,
  caps_many: 'A workspace has at most 100 limits. Remove one first',
  caps_sender_own: 'Other workspaces send from this domain too, so its limit would not protect it. Limit each workspace instead',
  shared_caps_domain_form: 'Enter a domain such as example.com',
  shared_caps_per_hour_range: CAP_RANGE,
  shared_caps_per_day_range: CAP_RANGE,
  workspaces_max_delay_hours_range: 'A delay is at least an hour and at most 365 days',
  workspaces_pkey: 'There is a workspace with this id already',
  workspaces_test_count: 'A workspace has at most five test workspaces, and a test workspace has none',
  test_advances_backwards: 'The clock of a test workspace never goes back',
  test_advances_too_far: 'The clock of a test workspace moves by at most 400 days at a time',
  workspaces_unknown_rule: 'A workspace has no such rule',
  retention_days_rest:
    "Batches can't be kept for less than a workspace's rest, since it is looked up in them. Shorten the rest first",
  members_email_folded: 'Enter a valid email address',
  notified_members_of_test: 'A test workspace sends no notifications',
  notified_members_time_zone_known: 'Enter a time zone such as Europe/Berlin',
  notified_members_time_zone_length: 'Enter a time zone such as Europe/Berlin',
  score_alerts_question_known: 'Choose a question with a score',
  score_alerts_below_range: "Choose a limit above the question's lowest score, and at most one above its highest",
  score_alerts_many: 'You can have rules for at most 500 surveys. Stop one first',
  suppressions_email_form: 'Enter a valid email address',
  members_added_before: 'This person is already a member. Change the role in the list',
  members_hourly: 'A workspace gets at most 20 new members an hour. Please wait',
  members_daily: 'A workspace gets at most 50 new members a day. Please wait',
  members_of_test: 'A test workspace has the members of its workspace. Change them there',
  members_last_owner: 'A workspace needs an owner. Make someone else an owner first',
  suppressions_of_recipient: "A complaint can't be taken back, and only the recipient can take back an unsubscription",
  test_invitations_daily: 'The members of this workspace have requested 20 test emails within a day. Please wait',
  test_invitations_to_member: 'A test email goes to a member of this workspace. No member has this address',
  test_invitations_name_length: 'A name has 1 to 255 characters, in one line',
  test_invitations_in_test: 'Nothing of a test workspace is sent. Send a request, move its clock, and look into its outbox',
  surveys_id_format: 'An id has 1 to 64 characters: letters, digits and . _ : -',
  surveys_title_length: 'A title has 1 to 255 characters',
  surveys_public_url_http: 'A public address starts with http:// or https:// and has at most 2,000 characters',
  surveys_thanks_length: 'A thank-you text has at most 2,000 characters',
  surveys_button_both: 'A button needs a text and an address',
  surveys_button_label_line: 'A button has a text of 1 to 100 characters in one line, without invisible marks',
  surveys_button_url_https:
    'An address starts with https:// and a host, without a name or password before it, and has at most 2,000 characters',
  surveys_time_zone_length: 'Enter a time zone such as Europe/Berlin',
  surveys_time_zone_known: 'Enter a time zone such as Europe/Berlin',
  surveys_max_delay_hours_range: 'A delay is at least an hour and at most 365 days',
  surveys_unknown_rule: 'A survey has no such rule',
  surveys_translations_size: 'The translations are too long together. Remove a language',
  surveys_link_days_range: 'Links expire after 1 to 3,650 days',
  surveys_response_limit_positive: 'A response limit is at least 1',
  surveys_closes_at_range: 'A closing date is before the year 10000',
  surveys_closes_at_past: 'This closing date is in the past',
  surveys_closed_by_date: "This survey's closing date is past. Move the closing date first",
  surveys_closed_by_limit: 'This survey has as many responses as its limit. Raise the limit first',
  surveys_unknown_end: 'A survey has no such end',
  surveys_changed_meanwhile:
    'Somebody else has changed the questions meanwhile. Look at the changes again before you publish them',
  question_drafts_size: 'The questions are too long together. Shorten or remove some',
  trigger_tokens_by_hand: 'This token is for lists that people upload: it has no secret, no cooldown, and reads nothing',
  uploads_sent: 'This list has been sent already',
  uploads_unchecked: 'This list is still being read',
  uploads_empty: 'Nobody of this list would be invited',
  uploads_repeated: 'Confirm that the same people get a second invitation',
  uploads_many: 'Ten lists of this workspace are being sent. Please wait until one is done',
  uploads_send_at_range: 'Enter a time within a year from now',
  uploads_lines_range: 'A list has at most 20,000 lines',
  webhook_endpoints_url_form: 'An endpoint starts with https:// and has at most 2,000 characters, without a password or #',
  webhook_endpoints_many: 'A workspace has at most 20 endpoints',
  webhook_endpoints_below_range: 'A limit is between -99 and 101',
  webhook_endpoints_format_fields: 'Only an endpoint that gets low scores alone has a limit',
  webhook_endpoints_slack_in_test: 'A test workspace tells nobody of low scores',
  webhook_endpoints_address_secret: 'This address is its own secret. Add an endpoint with the new address, and delete this one',
  webhook_endpoints_types_any: 'Choose at least one type of event',
  surveys_other_workspace: 'This survey belongs to another workspace',
  sender_name: 'A sender name is one line of at most 100 characters, without invisible marks',
  sender_email: 'Enter a valid sender address',
  sender_domain: 'Emails may not be sent from this domain: ask the operator to add it to SENDER_DOMAINS',
  sender_reply_to: 'Enter a valid address for replies',
  sender_logo_url: "A logo's address starts with https:// and has at most 2,000 characters",
  sender_logo_alt: 'The text in place of the logo is one line of at most 100 characters, without invisible marks',
  sender_accent_color: 'A color is # and six hexadecimal digits, e.g. #0b5cad',
  sender_postal_address: 'A postal address has at most 500 characters, without invisible marks',
  sender_recipient_word: 'The word for a recipient without a name is one line of at most 100 characters, without invisible marks',
  sender_greeting_without_name:
    'A greeting without a name is one line of at most 100 characters, without {{recipient_name}} and invisible marks',
  sender_subject_without_name:
    'A subject without a name is one line of at most 255 characters, without {{recipient_name}} and invisible marks',
  sender_button_text: 'The text of the button is one line of at most 100 characters, without invisible marks',
  sender_preheader: 'The line beside the subject is one line of at most 255 characters, without invisible marks',
  wordings_language_tag: 'A language is a tag such as en or pt-BR',
  wordings_informal_known: 'The service has one form of address in this language',
  wordings_many: 'A workspace words at most 50 languages itself',
  sender_unknown_setting: 'A sender has no such setting',
  surveys_language_tag: 'A language is a tag such as en or pt-BR',
  trigger_tokens_name_length: 'A name has 1 to 255 characters',
  trigger_tokens_cooldown_range: 'A cooldown is 0 to 86,400 seconds',
  trigger_tokens_subject_length: 'A subject is one line of 1 to 255 characters',
  trigger_tokens_message_length: 'A message has 1 to 65,536 bytes',
  trigger_tokens_message_size: 'With these variables the email could exceed 256 KiB. Use fewer, or a shorter text',
  trigger_tokens_translated_from_size:
    'The originals of the translations are too long together. Remove a language, or shorten them',
  trigger_tokens_translations_size: 'The translations have at most 262,144 bytes together. Remove a language, or shorten them',
  trigger_tokens_reminder_subject_length: 'A reminder subject is one line of at most 255 characters',
  trigger_tokens_reminder_message_length: 'A reminder message has at most 65,536 bytes',
  trigger_tokens_reminder_message_size: 'With these variables the reminder could exceed 256 KiB. Use fewer, or a shorter text',
  trigger_tokens_reminders_ascending: 'Reminders are 0, or up to five ascending numbers of days from 1 to 365, such as 3, 7, 14',
  trigger_tokens_keep_range: 'A replaced secret can be accepted for at most 7 days more',
  trigger_tokens_secret_home: 'The new secret must begin as the old one does, with the home of its workspace',
  trigger_tokens_secret_replaced: 'The secret has been replaced already',
  webhook_endpoints_secret_replaced: 'The secret has been replaced already',
  trigger_tokens_unknown_setting: 'A token has no such setting',
};

/** Messages by the codes of question_error_code. */
export const QUESTION_ERRORS: Readonly<Record<string, string>> = {
  not_a_list: 'must be a list',
  too_large: 'are too many or too long: at most 100, of 65,536 bytes in all',
  not_an_object: 'must be an object',
  invalid_id: 'needs an id of 1 to 64 characters: letters, digits and . _ : -',
  repeated_id: 'has the id of an earlier question',
  unknown_type: 'must be of type score, choice or text',
  unknown_field: 'has an unknown field',
  invalid_label: 'needs a label: one line of 1 to 1,000 characters, without invisible marks',
  invalid_required: 'has a "required" that is neither true nor false',
  invalid_range: 'needs a min and a max that are whole numbers from -100 to 100',
  invalid_range_size: 'needs a max that is 1 to 20 above its min',
  invalid_end_label: 'needs a min_label and a max_label of one line of 1 to 100 characters without invisible marks, or none',
  invalid_thanks:
    'has a low_thanks, middle_thanks or high_thanks that is not a text of 1 to 2,000 characters without invisible marks',
  invalid_choices: 'needs a list of 1 to 50 choices',
  invalid_choice: 'has a choice that is not one line of 1 to 255 characters, without spaces at its ends or invisible marks',
  repeated_choice: 'has the same choice twice',
  invalid_nps: 'has an "nps" that is neither true nor false, or true on another scale than 0 to 10',
  invalid_stars: 'has "stars" that is neither true nor false, or true on another scale than from 1 to 3 up to 10',
  invalid_several: 'has a "several" that is neither true nor false',
  invalid_ask_if:
    'has an "ask_if" that isn\'t {question, min, max} of an earlier score or {question, choices} of an earlier choice; at most 20 questions have one',
  asked_otherwise: 'was asked with another type or scale: give it another id',
};

interface DatabaseError {
  readonly constraint_name?: string;
  /** JSON, if one of our functions raised the error with a detail. */
  readonly detail?: string;
}

const detailOf = ({ detail }: DatabaseError) => JSON.parse(detail ?? '{}') as Readonly<Record<string, unknown>>;

/** The message as a sentence. Undefined: the error isn't about a constraint. */
export function constraintMessage(error: unknown): string | undefined {
  const { constraint_name: name = '' } = (error ?? {}) as DatabaseError;
  const sentence =
    name === 'surveys_questions_form'
      ? questionsMessage(detailOf(error as DatabaseError))
      : name === 'wordings_form'
        ? wordingMessage(error as DatabaseError)
        : name === 'trigger_tokens_unknown_variable'
          ? variableMessage(detailOf(error as DatabaseError))
          : name.endsWith('_translations_form')
            ? `The translation has a wrong form at ${detailOf(error as DatabaseError).place}`
            : name.endsWith('_marks')
              ? DIRECTION_MARKS
              : MESSAGES[name];
  return sentence === undefined ? undefined : `${sentence}.`;
}

const variableMessage = ({ place, variable, variables = [] }: Readonly<Record<string, unknown>>): string =>
  `${place} has {{${variable}}}, which isn't a variable. There are ${(variables as string[]).map((name) => `{{${name}}}`).join(', ')}`;

interface WordingError {
  readonly name?: string;
  readonly code: string;
  readonly placeholders?: readonly string[];
}

const WORDING_ERRORS: Readonly<Record<string, (error: WordingError) => string>> = {
  not_an_object: () => 'The words must be an object of texts by their names',
  unknown_name: () => 'The service has no text of this name',
  not_a_text: () =>
    'Enter one line of at most 1,000 characters (a subject: 255), without invisible marks; a message may have several lines and 5,000',
  placeholders: ({ placeholders = [] }) =>
    placeholders.length === 0 ? 'This text has no placeholders' : `Use each of these, and no other: ${placeholders.join(' ')}`,
};

const inWords = (error: WordingError): string => WORDING_ERRORS[error.code]?.(error) ?? error.code;

/**
 * What is wrong with a workspace's words, by the names of the texts. Undefined: another error.
 * @param error Of set_wording, or what wording_errors says.
 */
export function wordingErrors(error: unknown): Readonly<Record<string, string>> | undefined {
  const given = (
    Array.isArray(error)
      ? error
      : (error as DatabaseError | null)?.constraint_name === 'wordings_form'
        ? detailOf(error as DatabaseError).errors
        : undefined
  ) as readonly WordingError[] | undefined;
  return given && Object.fromEntries(given.map((one) => [one.name ?? '', `${inWords(one)}.`]));
}

const wordingMessage = (error: DatabaseError): string =>
  ((detailOf(error).errors ?? []) as WordingError[])
    .map((one) => (one.name === undefined ? inWords(one) : `${one.name}: ${inWords(one)}`))
    .join('. ');

function questionsMessage({ code, question, id, field }: ReturnType<typeof detailOf>): string {
  const problem = `${QUESTION_ERRORS[String(code)] ?? code}${field === undefined ? '' : `, ${JSON.stringify(field)}`}`;
  if (question === undefined) return `The questions ${problem}`;
  return `Question ${question}${id === undefined ? '' : ` (${id})`} ${problem}`;
}

/**
 * The message as a sentence.
 * @param error Has the code FORBIDDEN.
 */
export function forbiddenMessage(error: unknown): string {
  if ((error as DatabaseError).constraint_name === 'members_owner_only') return 'Only an owner can add, change or remove owners.';
  const { role, min_role: min } = detailOf(error as DatabaseError);
  return `You are ${article(role)} in this workspace, and this requires ${article(min)}. Ask an owner or admin for that role.`;
}

const article = (role: unknown): string => `${/^[aeo]/.test(String(role)) ? 'an' : 'a'} ${role}`;
