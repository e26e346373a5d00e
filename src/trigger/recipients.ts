// Recipients of a trigger request: each address once, however often it is sent. Pure.
import { domainToASCII } from 'node:url';
import { isDomainValid } from '@hapi/address';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { Metadata, Recipient } from '../database/store.ts';
import { canonicalTag } from '../languages/languages.ts';
import { foldEmail } from '../text.ts';
import { MAX_EMAIL_LENGTH, type PayloadLimits, RecipientObject, TriggerBody } from './schema.ts';
import type { IsTimeZone } from './time-zones.ts';
import {
  addSchemaErrors,
  checkMetadata,
  checkText,
  checkTimeZone,
  type ErrorList,
  type Fields,
  hasTooManyFields,
  rule,
  TOO_MANY_FIELDS,
  withoutNulls,
} from './validation-errors.ts';

const recipientObject = TypeCompiler.Compile(RecipientObject);

/** The field that names the recipients, for an error or a warning about all of them. */
export const recipientsField = ({ emails }: Fields): 'email' | 'emails' => (Array.isArray(emails) ? 'emails' : 'email');

/** A mix-up of secrets must not cost the sender's reputation. */
const SIMULATED = 'is at sim.invalid, where people are simulated: only test workspaces invite them';
const isSimulated = (address: string): boolean => /[@.]sim\.invalid$/i.test(address);

/**
 * @param isTest Whether people may be simulated.
 * @returns The valid recipients.
 */
export function readRecipients(
  fields: Fields,
  limits: PayloadLimits,
  isTimeZone: IsTimeZone,
  errors: ErrorList,
  isTest = false,
): Recipient[] {
  const { email, emails, name } = fields;
  const recipients = new Map<string, Recipient>();
  const take = (recipient: Recipient, field: string) => {
    const address = checkedAddress(recipient.email);
    if (address === undefined) errors.add('invalid_recipient', field, addressRule(recipient.email.trim()));
    else if (!isTest && isSimulated(address)) errors.add('invalid_recipient', field, SIMULATED);
    else if (!recipients.has(foldEmail(address))) recipients.set(foldEmail(address), { ...recipient, email: address });
  };

  checkText(fields, 'name', errors, { oneLine: true, isName: true });
  if (email !== undefined && emails !== undefined) {
    errors.add('invalid_recipient', 'emails', "can't be combined with email");
  } else if (emails === undefined) {
    if (email === undefined) errors.add('missing_recipient', 'email', 'is required unless emails is sent');
    if (hasEmailLength(email)) {
      take({ email, name: typeof name === 'string' ? name : undefined }, 'email');
    }
  } else {
    if (name !== undefined)
      errors.add('invalid_recipient', 'name', 'is only allowed with email; in emails, give each recipient a name');
    if (!Array.isArray(emails)) errors.add('invalid_recipient', 'emails', rule(TriggerBody.properties.emails));
    else if (emails.length === 0) errors.add('missing_recipient', 'emails', rule(TriggerBody.properties.emails));
    else if (emails.length > limits.maxRecipients) {
      errors.add('too_many_recipients', 'emails', `must have at most ${limits.maxRecipients} recipients, not ${emails.length}`);
    } else {
      for (const [index, entry] of emails.entries()) {
        if (errors.isFull) break;
        readRecipient(entry, `emails[${index}]`, limits, isTimeZone, errors, take);
      }
    }
  }
  return [...recipients.values()];
}

function readRecipient(
  entry: unknown,
  field: string,
  limits: PayloadLimits,
  isTimeZone: IsTimeZone,
  errors: ErrorList,
  take: (recipient: Recipient, field: string) => void,
): void {
  if (typeof entry === 'string') {
    take({ email: entry }, field);
    return;
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    errors.add(
      'invalid_recipient',
      field,
      'must be an email address, or an object with email and optional name, language, time_zone and metadata',
    );
    return;
  }
  if (hasTooManyFields(entry as Fields)) {
    errors.add('unknown_field', field, TOO_MANY_FIELDS);
    return;
  }
  const fields = withoutNulls(entry as Fields);
  if (!recipientObject.Check(fields)) {
    addSchemaErrors(errors, `${field}.`, recipientObject.Errors(fields), Object.keys(RecipientObject.properties));
  }
  checkText(fields, 'name', errors, { oneLine: true, isName: true, code: 'invalid_recipient', path: `${field}.name` });
  checkTimeZone(fields.time_zone, `${field}.time_zone`, 'invalid_recipient', isTimeZone, errors);
  checkMetadata(fields.metadata, `${field}.metadata`, limits, errors);
  const { email, name, language, time_zone, metadata } = fields;
  if (hasEmailLength(email)) {
    take(
      {
        email,
        name: typeof name === 'string' ? name : undefined,
        language: typeof language === 'string' ? canonicalTag(language) : undefined,
        time_zone: typeof time_zone === 'string' ? time_zone : undefined,
        metadata: metadata as Metadata | undefined,
      },
      `${field}.email`,
    );
  }
}

/** If it hasn't, the schema check reports the error. */
const hasEmailLength = (email: unknown): email is string =>
  typeof email === 'string' && email !== '' && email.length <= MAX_EMAIL_LENGTH;

/** Dot-string of RFC 5321, section 4.1.2. Relays accept nothing else before the @. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** RFC 5321, section 4.5.3.1.1. */
const MAX_LOCAL_LENGTH = 64;

/** The address, trimmed and with its domain in ASCII. Undefined: it is invalid. */
function checkedAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, at);
  if (at > MAX_LOCAL_LENGTH || !LOCAL_PART.test(local)) return undefined;
  const domain = checkedDomain(trimmed.slice(at + 1));
  const address = `${local}@${domain}`;
  return domain !== undefined && address.length <= MAX_EMAIL_LENGTH ? address : undefined;
}

/** The rule that an invalid address breaks, as the end of a sentence. */
function addressRule(text: string): string {
  if (text.length > MAX_EMAIL_LENGTH) return `must be at most ${MAX_EMAIL_LENGTH} characters`;
  if (/[<>"]/.test(text)) return 'must be the address alone: send the name in name';
  if (/[,;]|@.*\s.*@/.test(text)) return 'must be one address: send several as a list in emails';
  const [local = '', ...domain] = text.split('@');
  if (domain.length === 0) return "isn't a valid email address: it has no @";
  if (/[^\x00-\x7f]/.test(local)) return "isn't an address that can be emailed: only ASCII may stand before the @";
  if (/\s/.test(text)) return "isn't a valid email address: it contains a space";
  if (domain.length > 1) return "isn't a valid email address: it has more than one @";
  if (local.length > MAX_LOCAL_LENGTH)
    return `isn't a valid email address: at most ${MAX_LOCAL_LENGTH} characters may stand before the @`;
  if (LOCAL_PART.test(local)) return "isn't a valid email address: a domain such as example.com must follow the @";
  return "isn't a valid email address";
}

/** Domains that were checked. Recipients share few domains, and checking one costs more than checking the rest of an address. */
const domains = new Map<string, string | undefined>();
const MAX_DOMAINS = 1000;

/** Characters before conversion to ASCII. In ASCII a domain has at most 253, and a much longer text isn't worth the time. */
const MAX_DOMAIN_LENGTH = 1000;

/** The domain in ASCII. Undefined: it is invalid. */
function checkedDomain(text: string): string | undefined {
  if (text.length > MAX_DOMAIN_LENGTH) return undefined;
  if (domains.has(text)) return domains.get(text);
  // domainToASCII parses part of a URL: it drops tabs, decodes %xx, and stops at /, \, ? or #.
  const ascii = /[\s/\\?#%]/.test(text) ? '' : domainToASCII(text);
  const domain = isDomainValid(ascii, { minDomainSegments: 2 }) ? ascii : undefined;
  if (domains.size >= MAX_DOMAINS) domains.clear();
  domains.set(text, domain);
  return domain;
}
