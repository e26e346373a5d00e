// Reads a trigger request that is a form. Pure.
import { ApiError, invalidField } from '../errors.ts';
import { formatNumber } from '../text.ts';
import { MAX_METADATA_DEPTH, RecipientObject, TriggerBody } from './schema.ts';
import { MAX_FIELDS, TOO_DEEP, tooManyFields } from './validation-errors.ts';

/** Nested fields of a form, by key. It is a Map, because a key may be __proto__. */
type Branch = Map<string, string | Branch>;

/** A name with keys in brackets, as PHP and others write nested fields: metadata[order][id]. */
const NESTED = /^(emails|metadata)((?:\[[^[\]]*\])+)$/;
const INDEX = /^\d{1,6}$/;
const INTEGERS = new Set(['reminder_days', 'send_in_seconds']);
/** Fields that a form may have for each recipient that a request may have: six are left for metadata. More are cheaper as JSON. */
const FIELDS_PER_RECIPIENT = 10;
/** A list of numbers: reminders=3,7 or repeated, with or without brackets. */
const REMINDERS = /^reminders(\[\d*\])?$/;

/**
 * The fields of a form. A known field without a value is omitted. emails may be repeated, or numbered with further keys, such as
 * emails[0][email]. metadata is JSON, or fields such as metadata[order_id]. reminders is a list such as 3,7, or repeated.
 * @param maxRecipients The most recipients of a request. Fields are counted before any is read: a megabyte of them takes seconds to read.
 * @throws {ApiError} unsupported_content_type, invalid_field or unknown_field.
 */
export function parseForm(text: string, maxRecipients: number): Record<string, unknown> {
  // No field's name begins with a brace. curl sends JSON as a form if no content type is set.
  if (/^\s*\{/.test(text)) {
    throw new ApiError('unsupported_content_type', 'The body looks like JSON: send it with Content-Type: application/json.');
  }
  const maxFields = MAX_FIELDS + FIELDS_PER_RECIPIENT * maxRecipients;
  if (text.split('&', maxFields + 1).length > maxFields)
    throw new ApiError('invalid_field', `A form must have at most ${formatNumber(maxFields)} fields: send more as JSON.`);
  const fields: Record<string, unknown> = Object.create(null);
  const emails: Branch = new Map();
  const metadata: Branch = new Map();
  const reminders: string[] = [];
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    const [root, ...keys] = pathOf(name);
    if (root === 'metadata' && keys.length > 0) {
      if (value !== '') put(metadata, keys, value, root);
    } else if (root === 'emails') {
      const [index = ` ${emails.size}`, ...path] = keys;
      if (value !== '' || isUnknown(path, RecipientObject)) put(emails, [index, ...path], value, root, true);
    } else if (REMINDERS.test(name)) {
      if (value !== '') reminders.push(value);
    } else if (value !== '' || isUnknown([name], TriggerBody)) {
      if (Object.hasOwn(fields, name)) throw sentTwice(name);
      count += 1;
      if (count > MAX_FIELDS) throw tooManyFields();
      fields[name] = INTEGERS.has(name) ? integerOrText(value) : name === 'metadata' ? jsonOrText(value) : value;
    }
  }
  if (emails.size > 0)
    fields.emails = Array.from(emails.values(), (entry) => (typeof entry === 'string' ? entry : recipientOf(entry)));
  if (reminders.length > 0)
    fields.reminders = reminders
      .join(',')
      .split(',')
      .map((days) => integerOrText(days.trim()));
  if (metadata.size > 0) {
    if (Object.hasOwn(fields, 'metadata')) throw sentTwice('metadata');
    fields.metadata = toObject(metadata);
  }
  return fields;
}

/** metadata[order][id] → metadata, order, id. A recipient in a list without numbers has no key. */
function pathOf(name: string): string[] {
  if (name === 'emails' || name === 'emails[]') return ['emails'];
  const [, root, brackets = ''] = NESTED.exec(name) ?? [];
  if (root === undefined) {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
    return key === undefined ? [name] : ['metadata', key];
  }
  const keys = brackets.slice(1, -1).split('][');
  const isPath = root === 'emails' ? INDEX.test(keys[0] ?? '') : keys[0] !== '';
  return isPath ? [root, ...keys] : [name];
}

const isUnknown = ([name]: string[], { properties }: typeof TriggerBody | typeof RecipientObject): boolean =>
  name !== undefined && !Object.hasOwn(properties, name);

/** @param once Whether a second value is an error. Otherwise the last value counts. */
function put(branch: Branch, keys: readonly string[], value: string, field: string, once = false): void {
  if (keys.length > MAX_METADATA_DEPTH + 2) throw invalidField('metadata', TOO_DEEP);
  let at = branch;
  for (const key of keys.slice(0, -1)) {
    const inner = at.get(key) ?? new Map();
    if (typeof inner === 'string') throw sentTwice(field);
    at.set(key, inner);
    at = inner;
  }
  // An empty key, as in metadata[tags][], adds to a list.
  const lastKey = keys.at(-1) || String(at.size);
  const existing = at.get(lastKey);
  if (existing instanceof Map || (once && existing !== undefined)) throw sentTwice(field);
  at.set(lastKey, value);
}

const toObject = (branch: Branch): Record<string, unknown> =>
  Object.fromEntries(Array.from(branch, ([key, value]) => [key, typeof value === 'string' ? value : toValue(value)]));

/** A list if the keys are 0, 1, 2 and so on, otherwise an object. */
const toValue = (branch: Branch): unknown =>
  [...branch.keys()].every((key, index) => key === String(index)) ? Object.values(toObject(branch)) : toObject(branch);

/** A recipient that is sent as fields, such as emails[0][email] and emails[0][name]. */
function recipientOf(branch: Branch): Record<string, unknown> {
  const metadata = branch.get('metadata');
  const fields = toObject(branch);
  if (metadata === undefined) return fields;
  return { ...fields, metadata: typeof metadata === 'string' ? jsonOrText(metadata) : toObject(metadata) };
}

const sentTwice = (field: string): ApiError => invalidField(field, 'must be sent only once');

const integerOrText = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
