// The settings. They are read once from the environment, and all errors are reported together. A test compares them with
// docs/operations.md. This file imports none of our own code.
import { isIP } from 'node:net';

/** The message has one line for each wrong setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Settings by environment variable. */
export const SETTINGS = {
  DATABASE_URL: setting('', optional(databaseAddress), 'PostgreSQL 15 to 18. Unset: an embedded PostgreSQL in `DATA_DIR`.'),
  DATA_DIR: setting('.data', text, 'Folder of the embedded PostgreSQL and the development outbox.'),
  HOME_ID: setting(
    '',
    optional(homeId),
    'Name of this database: four of a–z and 0–9, not `test`. Secrets and links begin with it. Unset: drawn by the first `migrate`. It stays.',
  ),
  CELL_NUMBER: setting(
    '',
    optional(integer(0, 255)),
    'Which range of ids the database has, if the installation has several: 0 to 255, each another. Unset: 0, or what the first `migrate` was told. It stays.',
  ),
  CELL_URLS: setting(
    '',
    optional(databaseAddresses),
    'Addresses of the [cells](scaling.md) as their owners, separated by spaces, for `cell move` and `cell drain`.',
  ),
  HOST: setting('127.0.0.1', text, 'Address to listen on.'),
  PORT: setting('3000', integer(0, 65535), 'Port to listen on; 0: any free one.'),
  PUBLIC_URL: setting(
    '',
    optional(webOrigin),
    'Address at which recipients reach the server; links in emails begin with it. Unset: `http://HOST:PORT`.',
  ),
  SECRET_KEYS: setting(
    '',
    optional(secretKeys),
    "Keys that [encrypt webhooks' secrets](#secrets) (`openssl rand -base64 32`), separated by commas. The first encrypts, all decrypt. Unset: no webhooks, except with the embedded PostgreSQL.",
  ),
  RELAY: setting(
    '',
    oneOf('', 'mailpit', 'resend', 'postmark', 'sendgrid', 'mailgun', 'brevo', 'ses', 'smtp'),
    'One of the [relays](relays.md). Unset: `start` and `demo` run a development outbox, `work` refuses to start.',
  ),
  RELAY_URL: setting(
    '',
    optional(relayAddress),
    "Address of the relay's API; for `smtp`: `smtp://user:password@host:port`, which [requires TLS](relays.md#smtp); `ses` needs it for the region. Unset: the relay's own.",
  ),
  RELAY_API_KEY: setting(
    '',
    optional(text),
    "The relay's API key (`ses`: `ACCESS_KEY_ID:SECRET`; `mailpit`: `user:password`, if it needs one).",
  ),
  RELAY_DOMAIN: setting('', optional(domainName), 'Sending domain, for `mailgun`. Unset: the domain of `MAIL_FROM`.'),
  RELAY_STREAM: setting('', optional(text), 'Message stream, for `postmark`. Unset: its default, the transactional one.'),
  RELAY_CONCURRENCY: setting('10', integer(1, 1000), 'Simultaneous requests to the relay, per worker process.'),
  RELAY_TIMEOUT_SECONDS: setting('20', integer(1, 20), 'Timeout of one request to the relay, in seconds.'),
  RELAY_BATCH: setting(
    '',
    optional(integer(1, 1000)),
    'Most emails in one request, where the relay takes several. Unset: 1 for `resend` and `brevo`, so that their idempotency key covers each email; otherwise the most that the relay takes.',
  ),
  RELAY_RATE: setting('', optional(integer(1, 100_000)), 'Emails per second over all workers. Unset: no limit.'),
  RELAY_UNKNOWN: setting(
    'retry',
    oneOf('retry', 'hold'),
    'What to do with an email that [may have been sent](relays.md#emails-that-may-have-been-sent): `retry` sends it again, `hold` leaves that to a person.',
  ),
  RELAY_EVENTS_SECRET: setting(
    '',
    optional(atLeast(16)),
    "Secret of the relay's webhook: its signing secret, its public key, or `user:password`. Unset: `/relay-events/` is 404.",
  ),
  SMTP_RETURN_PATH: setting(
    '',
    optional(returnPath),
    'Mailbox for [bounces](relays.md#bounces-by-smtp), for `smtp`: the envelope sender is it with `+` and a name. Unset: `MAIL_FROM`.',
  ),
  MAIL_FROM: setting('Surveys <surveys@localhost>', sender, 'Sender of the emails.'),
  SENDER_DOMAINS: setting(
    '',
    optional(domainNames),
    "Domains that workspaces may send from, separated by commas; `check` looks them up. Unset: `MAIL_FROM`'s.",
  ),
  OPERATOR_EMAIL: setting('', optional(plainAddress), 'Is emailed when the [guard](guard.md) acts. Unset: none.'),
  OUTBOX_PORT: setting('8025', integer(0, 65535), 'Port of the development outbox on 127.0.0.1; 0: any free one.'),
  LOG_LEVEL: setting(
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'Minimum level of log lines (JSON on standard error).',
  ),
  TRUST_PROXY: setting(
    '0',
    integer(0, 10),
    'Number of proxies in front: the client address is that entry of `X-Forwarded-For`, counted from the end.',
  ),
  FLOOD_REQUESTS_PER_MINUTE: setting('60', integer(1, 1_000_000), 'Requests per minute with one trigger token.'),
  FLOOD_UNKNOWN_PER_MINUTE: setting(
    '30',
    integer(1, 1_000_000),
    'Requests per minute without a known trigger token from one client address; also attempts to sign in.',
  ),
  FLOOD_RECIPIENTS_PER_HOUR: setting(
    '10000',
    integer(1, 100_000_000),
    'Recipients of one workspace in a rolling hour; at least `MAX_RECIPIENTS`. With [separate roles](#database-roles), that of the last `migrate` is the maximum.',
  ),
  FLOOD_PAGES_PER_MINUTE: setting(
    '1200',
    integer(1, 1_000_000),
    'Requests per minute to public pages from one client address; also unsigned relay events.',
  ),
  FLOOD_OPEN_RESPONSES_PER_MINUTE: setting(
    '120',
    integer(1, 1_000_000),
    'Responses per minute without a link from one client address.',
  ),
  FLOOD_FORMS_PER_MINUTE: setting(
    '240',
    integer(1, 1_000_000),
    'Forms per minute that the members of one workspace submit, with its test workspaces.',
  ),
  WEBHOOK_ALLOW: setting(
    '',
    optional(networks),
    'Private networks that webhooks may reach, also by http, such as `10.0.0.0/8,127.0.0.1/32`. Unset: none.',
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    '5,300,1800,7200,18000,36000,50400,72000,86400',
    seconds,
    'Seconds from each failed attempt of a webhook to the next.',
  ),
  DRAIN_SECONDS: setting(
    '5',
    integer(0, 120),
    'Seconds that `serve` still answers after SIGTERM, with 503 on `/readyz` for the load balancer.',
  ),
  LATE_SEND_HOURS: setting(
    '',
    optional(integer(1, 8760)),
    'Skips an email overdue by more ([why](maintenance.md#after-a-restore)). Unset: no limit.',
  ),
  RETENTION_DAYS: setting(
    '',
    optional(integer(1, 3650)),
    'Days after which the address and name of a finished invitation are [erased](#personal-data). Unset: never.',
  ),
  MAX_RECIPIENTS: setting('1000', integer(1, 10_000), 'Recipients of one request.'),
  MAX_BODY_BYTES: setting('1048576', integer(1024, 67_108_864), 'Size of a request body, in bytes.'),
  MAX_METADATA_BYTES: setting('16384', integer(2, 1_048_576), 'Size of metadata as JSON, in bytes.'),
  MAX_MESSAGE_BYTES: setting('65536', integer(1, 65_536), 'Size of a message template, in bytes.'),
  MAX_CONNECTIONS: setting(
    '4096',
    integer(4, 100_000),
    'Connections of one server; a quarter for one address if `TRUST_PROXY` is 0.',
  ),
  METRICS_PORT: setting(
    '',
    optional(integer(0, 65535)),
    'Port of `GET /metrics`; 0: any free one. Unset: no metrics. Each process on a machine needs its own.',
  ),
  METRICS_HOST: setting('127.0.0.1', text, 'Address of the metrics. Anyone who reaches it can read them.'),
  DATABASE_POOL: setting(
    '4',
    integer(1, 100),
    'Database connections of one process; a small pool is faster. The console has six more.',
  ),
  WORKER_CONCURRENCY: setting('4', integer(1, 100), 'Simultaneous jobs of one worker process.'),
} as const;

export type Config = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> };

/**
 * @param env An empty value counts as unset.
 * @param use sends: whether the process sends emails and so needs the relay's key.
 * @throws {ConfigError}
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, { sends = false } = {}): Config {
  const errors: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { default: fallback, parse }] of Object.entries(SETTINGS)) {
    try {
      values[name] = parse(env[name] || fallback);
    } catch (error) {
      // Leave out the value, because it may be a secret.
      errors.push(`${name} ${(error as Error).message}`);
    }
  }
  const config = values as Config;
  if (errors.length === 0 && config.FLOOD_RECIPIENTS_PER_HOUR < config.MAX_RECIPIENTS) {
    errors.push('FLOOD_RECIPIENTS_PER_HOUR must be at least MAX_RECIPIENTS: a full request could never be accepted');
  }
  if (config.RELAY && config.RELAY !== 'mailpit') {
    // After an email is sent, its link can't be changed. So a relay must not send links to 127.0.0.1.
    const key = config.RELAY === 'smtp' ? 'RELAY_URL' : 'RELAY_API_KEY';
    for (const name of [...(sends ? [key] : []), 'PUBLIC_URL', 'MAIL_FROM']) {
      if (!env[name]) errors.push(`${name} must be set for RELAY=${config.RELAY}`);
    }
  }
  const relayIsHere = config.RELAY_URL !== undefined && isLoopback(config.RELAY_URL);
  if (config.RELAY && config.RELAY !== 'mailpit' && !relayIsHere && config.PUBLIC_URL && isLoopback(config.PUBLIC_URL)) {
    errors.push(`PUBLIC_URL must be an address that recipients reach, not this machine's own, for RELAY=${config.RELAY}`);
  }
  if (config.RELAY && config.RELAY_URL !== undefined && /^smtp/.test(config.RELAY_URL) !== (config.RELAY === 'smtp')) {
    errors.push(
      `RELAY_URL must be ${config.RELAY === 'smtp' ? 'an smtp or smtps' : 'an http or https'} address for RELAY=${config.RELAY}`,
    );
  }
  if (config.SMTP_RETURN_PATH !== undefined) {
    if (config.RELAY !== 'smtp') errors.push('SMTP_RETURN_PATH is only for RELAY=smtp: other relays report bounces themselves');
    if (config.DATABASE_URL !== undefined && config.SECRET_KEYS === undefined) errors.push('SMTP_RETURN_PATH needs SECRET_KEYS');
  }
  if (config.RELAY === 'ses' && sends) {
    // A default region would be a guess, and SES's errors about a wrong region are hard to understand.
    if (!env.RELAY_URL) errors.push('RELAY_URL must be set for RELAY=ses: https://email.REGION.amazonaws.com');
    if (!/^[^:]+:./.test(config.RELAY_API_KEY ?? ':')) errors.push('RELAY_API_KEY must be ACCESS_KEY_ID:SECRET for RELAY=ses');
  }
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  return config;
}

/** Whether only this machine can reach the address. */
export const isLoopback = (address: string): boolean =>
  /^(localhost|127\.[\d.]+|\[::1\])$/.test(URL.parse(address)?.hostname ?? '');

function setting<T>(fallback: string, parse: (value: string) => T, meaning: string) {
  return { default: fallback, meaning, parse };
}

function text(value: string): string {
  return value;
}

function optional<T>(parse: (value: string) => T) {
  return (value: string): T | undefined => (value === '' ? undefined : parse(value));
}

function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

function oneOf<const T extends string>(...choices: T[]) {
  return (value: string): T => {
    const choice = choices.find((allowed) => allowed === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.filter(Boolean).join(', ')}`);
    return choice;
  };
}

function atLeast(characters: number) {
  return (value: string): string => {
    if (value.length < characters) throw new Error(`must have at least ${characters} characters`);
    return value;
  };
}

/** The address must be absolute, http(s), and without credentials, query or fragment. A trailing slash is removed. */
function webAddress(value: string): string {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https address');
  if (url.username || url.search || url.hash) throw new Error('must have no credentials, query or fragment');
  return url.href.replace(/\/$/, '');
}

/** The address must have no path, because recipients' and members' pages link to each other from the root of their host. */
function webOrigin(value: string): string {
  const address = webAddress(value);
  if (new URL(address).pathname !== '/') throw new Error('must have no path: the pages are at the root of their host');
  return address;
}

/** A web address, or smtp://, smtps:// or smtp+insecure://user:password@host:port. */
function relayAddress(value: string): string {
  if (!/^(https?|smtps?|smtp\+insecure):/i.test(value)) throw new Error('must begin with https://, http://, smtp:// or smtps://');
  if (!/^smtp/i.test(value)) return webAddress(value);
  const url = URL.parse(value);
  if (url === null || url.hostname === '' || url.pathname.length > 1 || url.search || url.hash) {
    throw new Error('must be smtp://, smtps:// or smtp+insecure://user:password@host:port');
  }
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
  return url.href;
}

function homeId(value: string): string {
  if (!/^[a-z0-9]{4}$/.test(value) || value === 'test') throw new Error('must be four of a–z and 0–9, and not test');
  return value;
}

function secretKeys(value: string): string[] {
  return value.split(',').map((entry) => {
    const key = entry.trim();
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length !== 32 || bytes.toString('base64') !== key) {
      throw new Error('must be keys of 32 bytes in base64, separated by commas, as `openssl rand -base64 32` makes them');
    }
    return key;
  });
}

/** Its first part is short, because an email's name of 45 characters follows it (RFC 5321 section 4.5.3.1.1 allows 64). */
function returnPath(value: string): string {
  const [local = '', domain = '', ...others] = value.split('@');
  if (!/^[\w.-]{1,16}$/.test(local) || others.length > 0)
    throw new Error('must be an address with at most 16 characters before its @, and no +');
  return `${local}@${domainName(domain).toLowerCase()}`;
}

function domainName(value: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(value)) throw new Error('must be a domain name');
  return value;
}

function domainNames(value: string): string[] {
  return value.split(',').map((name) => domainName(name.trim()).toLowerCase());
}

function seconds(value: string): number[] {
  return value.split(',').map((entry) => integer(1, 604_800)(entry.trim()));
}

function networks(value: string): string[] {
  return value.split(',').map((network) => {
    const [address = '', bits = ''] = network.trim().split('/');
    const version = isIP(address);
    if (version === 0) throw new Error('must be networks such as 10.0.0.0/8, separated by commas');
    return `${address}/${integer(0, version === 4 ? 32 : 128)(bits)}`;
  });
}

function databaseAddress(value: string): string {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error('must be a postgres://user:password@host:port/database address');
  }
  return value;
}

/** Separated by spaces. */
function databaseAddresses(value: string): readonly string[] {
  return value.trim().split(/\s+/).map(databaseAddress);
}

/** `Name <address>` or an address, on one line. */
function plainAddress(value: string): string {
  if (!/^[^@\s<>,;]+@[^@\s<>,;]+$/.test(value) || value.length > 254) throw new Error('must be one email address');
  return value;
}

function sender(value: string): { name: string; email: string } {
  const match = /^(?:([^<>\r\n]*)<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/.exec(value.trim());
  if (match === null) throw new Error('must be an address, or Name <address>');
  return { name: (match[1] ?? '').trim().replace(/^"(.*)"$/, '$1'), email: match[2] ?? match[3] ?? '' };
}
