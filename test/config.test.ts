// The settings have the documented defaults. Each kind of error is found, all errors are reported at once, and no message contains a value.
import t from 'tap';
import { misspelt } from '../src/check/misspelt.ts';
import { ConfigError, readConfig, SETTINGS } from '../src/config.ts';

const errorOf = (env: Record<string, string>, sends = true): string => {
  try {
    readConfig(env, { sends });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
};

t.test('without any setting the defaults are in effect', async (t) => {
  t.same(readConfig({}), {
    DATABASE_URL: undefined,
    DATA_DIR: '.data',
    HOST: '127.0.0.1',
    PORT: 3000,
    PUBLIC_URL: undefined,
    RELAY: '',
    RELAY_URL: undefined,
    RELAY_API_KEY: undefined,
    RELAY_DOMAIN: undefined,
    RELAY_STREAM: undefined,
    RELAY_CONCURRENCY: 10,
    RELAY_TIMEOUT_SECONDS: 20,
    RELAY_BATCH: undefined,
    RELAY_RATE: undefined,
    RELAY_UNKNOWN: 'retry',
    RELAY_EVENTS_SECRET: undefined,
    MAIL_FROM: { name: 'Surveys', email: 'surveys@localhost' },
    OUTBOX_PORT: 8025,
    LOG_LEVEL: 'info',
    TRUST_PROXY: 0,
    FLOOD_REQUESTS_PER_MINUTE: 60,
    FLOOD_UNKNOWN_PER_MINUTE: 30,
    FLOOD_RECIPIENTS_PER_HOUR: 10_000,
    FLOOD_PAGES_PER_MINUTE: 1200,
    FLOOD_OPEN_RESPONSES_PER_MINUTE: 120,
    FLOOD_FORMS_PER_MINUTE: 240,
    WEBHOOK_ALLOW: undefined,
    WEBHOOK_RETRY_SECONDS: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    DRAIN_SECONDS: 5,
    LATE_SEND_HOURS: undefined,
    RETENTION_DAYS: undefined,
    MAX_RECIPIENTS: 1000,
    MAX_BODY_BYTES: 1_048_576,
    MAX_METADATA_BYTES: 16_384,
    MAX_MESSAGE_BYTES: 65_536,
    MAX_CONNECTIONS: 4096,
    METRICS_PORT: undefined,
    METRICS_HOST: '127.0.0.1',
    DATABASE_POOL: 4,
    WORKER_CONCURRENCY: 4,
  });
});

t.test('an empty value counts as unset, and what is not a setting is ignored', async (t) => {
  const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']));
  t.same(readConfig({ ...empty, PATH: '/bin', PORTS: 'x' }), readConfig({}));
});

t.test('every setting says what it means', async (t) => {
  for (const [name, { meaning }] of Object.entries(SETTINGS)) t.match(meaning, /^[A-Z].*[.).]$/s, name);
});

const good: [name: keyof typeof SETTINGS, text: string, value: unknown][] = [
  ['DATABASE_URL', 'postgresql://u:p@h:5432/d?sslmode=require', 'postgresql://u:p@h:5432/d?sslmode=require'],
  ['PORT', '0', 0],
  ['PORT', '65535', 65_535],
  ['PUBLIC_URL', 'https://i.example/', 'https://i.example'],
  ['RELAY_URL', 'https://i.example/base/', 'https://i.example/base'],
  ['PUBLIC_URL', 'http://localhost:8080', 'http://localhost:8080'],
  ['RELAY', 'mailpit', 'mailpit'],
  ['MAIL_FROM', 'a@b.example', { name: '', email: 'a@b.example' }],
  ['MAIL_FROM', ' Zoë & Co <a@b.example> ', { name: 'Zoë & Co', email: 'a@b.example' }],
  ['MAIL_FROM', '"Acme, Inc." <a@b.example>', { name: 'Acme, Inc.', email: 'a@b.example' }],
  ['LOG_LEVEL', 'silent', 'silent'],
];

t.test('a good value is read', async (t) => {
  for (const [name, text, value] of good) t.same(readConfig({ [name]: text })[name], value, `${name}=${text}`);
});

const bad: [name: keyof typeof SETTINGS, text: string, error: string][] = [
  ['DATABASE_URL', 'mysql://u:p@h/d', 'must be a postgres://user:password@host:port/database address'],
  ['DATABASE_URL', 'h:5432', 'must be a postgres://user:password@host:port/database address'],
  ['PORT', '65536', 'must be a whole number from 0 to 65535'],
  ['PORT', '-1', 'must be a whole number from 0 to 65535'],
  ['PORT', '3e3', 'must be a whole number from 0 to 65535'],
  ['PORT', '80.5', 'must be a whole number from 0 to 65535'],
  ['RELAY_CONCURRENCY', '0', 'must be a whole number from 1 to 1000'],
  ['PUBLIC_URL', 'i.example', 'must be an http or https address'],
  ['PUBLIC_URL', 'ftp://i.example', 'must be an http or https address'],
  ['PUBLIC_URL', 'https://i.example/?a=1', 'must have no credentials, query or fragment'],
  ['PUBLIC_URL', 'https://i.example/#a', 'must have no credentials, query or fragment'],
  ['PUBLIC_URL', 'https://i.example/surveys/', 'must have no path: the pages are at the root of their host'],
  ['RELAY_URL', 'mail.example.org:587', 'must begin with https://, http://, smtp:// or smtps://'],
  ['RELAY_URL', 'mail.example.org', 'must begin with https://, http://, smtp:// or smtps://'],
  ['RELAY_URL', 'https://user:pass@i.example', 'must have no credentials, query or fragment'],
  ['RELAY_EVENTS_SECRET', 'user:short', 'must have at least 16 characters'],
  ['RELAY_DOMAIN', 'mg.example.org/v3', 'must be a domain name'],
  ['RELAY', 'sendmail', 'must be one of mailpit, resend, postmark, sendgrid, mailgun, brevo, ses, smtp'],
  ['LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, fatal, silent'],
  ['MAIL_FROM', 'Acme', 'must be an address, or Name <address>'],
  ['MAIL_FROM', 'Acme\r\nBcc: x <a@b.example>', 'must be an address, or Name <address>'],
  ['MAIL_FROM', 'Acme <a@b@c>', 'must be an address, or Name <address>'],
];

t.test('a bad value is one line that names the setting and what it must be', async (t) => {
  for (const [name, text, error] of bad) t.equal(errorOf({ [name]: text }), `${name} ${error}`, `${name}=${text}`);
});

t.test('all errors are reported at once, a line each', async (t) => {
  t.same(errorOf({ PORT: 'x', RELAY: 'resend', LOG_LEVEL: 'loud', MAX_RECIPIENTS: '0' }).split('\n').length, 6);
});

t.test('no message repeats a value', async (t) => {
  const env = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '\u0001s3cret\n']));
  const message = errorOf(env);
  t.match(message, 'DATABASE_URL');
  t.notMatch(message, 's3cret');
});

t.test('a relay that emails people needs a key, the address of the links, and a sender', async (t) => {
  const needed = { RELAY_API_KEY: 're_key', PUBLIC_URL: 'https://i.example', MAIL_FROM: 'a@i.example' };
  for (const name of Object.keys(needed)) {
    t.equal(errorOf({ RELAY: 'resend', ...needed, [name]: '' }), `${name} must be set for RELAY=resend`);
  }
  t.equal(readConfig({ RELAY: 'resend', ...needed }).RELAY_API_KEY, 're_key');
});

t.test('a process that sends nothing needs no key of the relay, even if it takes its webhook', async (t) => {
  const given = {
    RELAY: 'resend',
    RELAY_EVENTS_SECRET: 'whsec_0123456789abcdef',
    PUBLIC_URL: 'https://i.example',
    MAIL_FROM: 'a@i.example',
  };
  t.equal(errorOf(given, false), 'no error');
  t.equal(errorOf({ ...given, RELAY: 'smtp' }, false), 'no error');
  t.equal(errorOf({ ...given, RELAY: 'ses' }, false), 'no error');
  t.equal(errorOf({ ...given, PUBLIC_URL: '' }, false), 'PUBLIC_URL must be set for RELAY=resend');
  t.equal(errorOf(given), 'RELAY_API_KEY must be set for RELAY=resend');
});

t.test("a relay that emails people isn't given links to this machine, unless it is on this machine too", async (t) => {
  const needed = { RELAY: 'resend', RELAY_API_KEY: 're_key', MAIL_FROM: 'a@i.example' };
  for (const address of ['http://127.0.0.1:3000', 'https://localhost', 'http://[::1]:3000']) {
    t.match(errorOf({ ...needed, PUBLIC_URL: address }), /^PUBLIC_URL must be an address that recipients reach/, address);
    t.ok(readConfig({ ...needed, PUBLIC_URL: address, RELAY_URL: 'http://127.0.0.1:8025' }), 'a test');
    t.ok(readConfig({ PUBLIC_URL: address }), 'development');
  }
  for (const address of ['https://localhost.example', 'http://10.0.0.1']) t.ok(readConfig({ ...needed, PUBLIC_URL: address }));
});

t.test('SES needs a region and a key of two parts', async (t) => {
  const needed = {
    RELAY: 'ses',
    RELAY_URL: 'https://email.eu-central-1.amazonaws.com',
    RELAY_API_KEY: 'AKIDEXAMPLE:s3cret',
    PUBLIC_URL: 'https://i.example',
    MAIL_FROM: 'a@i.example',
  };
  t.equal(readConfig(needed).RELAY, 'ses');
  t.match(errorOf({ ...needed, RELAY_URL: '' }), /^RELAY_URL must be set for RELAY=ses/);
  for (const key of ['s3cret', ':s3cret', 'AKIDEXAMPLE:']) {
    t.equal(errorOf({ ...needed, RELAY_API_KEY: key }), 'RELAY_API_KEY must be ACCESS_KEY_ID:SECRET for RELAY=ses');
  }
});

t.test('SMTP needs its address instead of a key, and no other relay takes one', async (t) => {
  const needed = {
    RELAY: 'smtp',
    RELAY_URL: 'smtp://us%40er:s3cret@mail.example.org:587',
    PUBLIC_URL: 'https://i.example',
    MAIL_FROM: 'a@i.example',
  };
  for (const RELAY_URL of [needed.RELAY_URL, 'smtps://mail.example.org', 'smtp+insecure://mailpit:1025'])
    t.equal(readConfig({ ...needed, RELAY_URL }).RELAY_URL, RELAY_URL);
  t.equal(errorOf({ ...needed, RELAY_URL: '' }), 'RELAY_URL must be set for RELAY=smtp');
  t.match(errorOf({ ...needed, RELAY_URL: 'https://i.example' }), 'RELAY_URL must be an smtp or smtps address for RELAY=smtp');
  const resend = { ...needed, RELAY: 'resend', RELAY_API_KEY: 're_key' };
  t.match(errorOf(resend), 'RELAY_URL must be an http or https address for RELAY=resend');
  for (const [url, error] of [
    ['smtp://user:s3cret@mail.example.org/path', /^RELAY_URL must be smtp:/],
    ['smtp+insecure://', /^RELAY_URL must be smtp:/],
    ['smtp://', /^RELAY_URL must be smtp:/],
    ['smtps://user:s3cret%zz@mail.example.org', /^RELAY_URL must have its user and password percent-encoded$/],
  ] as const) {
    t.match(errorOf({ ...needed, RELAY_URL: url }), error);
    t.notMatch(errorOf({ ...needed, RELAY_URL: url }), 's3cret');
  }
});

t.test('the hourly limit must not be below the limit of one request', async (t) => {
  t.match(errorOf({ FLOOD_RECIPIENTS_PER_HOUR: '999' }), /^FLOOD_RECIPIENTS_PER_HOUR must be at least MAX_RECIPIENTS/);
  t.equal(readConfig({ FLOOD_RECIPIENTS_PER_HOUR: '1000' }).FLOOD_RECIPIENTS_PER_HOUR, 1000);
});

t.test('the name of an installation has four characters, and is not that of test secrets', async (t) => {
  for (const HOME_ID of ['test', 'abc', 'abcde', 'AB12', 'ab-2', 'äb12'])
    t.match(errorOf({ HOME_ID }), /^HOME_ID must be four of a–z and 0–9/);
  t.equal(readConfig({ HOME_ID: 'ab12' }).HOME_ID, 'ab12');
  t.match(errorOf({ CELL_URLS: 'postgres://one/invitations two' }), /^CELL_URLS must be a postgres:/);
  t.same(readConfig({ CELL_URLS: ' postgres://one/a  postgres://two/b ' }).CELL_URLS, ['postgres://one/a', 'postgres://two/b']);
  for (const CELL_NUMBER of ['-1', '256', '1.5', 'x']) t.match(errorOf({ CELL_NUMBER }), /^CELL_NUMBER must be /);
  t.equal(readConfig({ CELL_NUMBER: '0' }).CELL_NUMBER, 0);
  t.equal(readConfig({ CELL_NUMBER: '255' }).CELL_NUMBER, 255);
});

t.test('a misspelt setting is named, with what was probably meant; what else a server has is not', async (t) => {
  const names = [
    'RELAY_KEY',
    'DATABASE_URI',
    'publicurl',
    'MAILFROM',
    'LOG_LEVLE',
    'RELAY_COLOR',
    'FLOOD_EVERYTHING',
    'DATA-DIR',
  ];
  const told = misspelt(Object.fromEntries(names.map((name) => [name, 'a-value'])));
  t.strictSame(told, [
    'RELAY_KEY is not a setting: did you mean RELAY_API_KEY?',
    'DATABASE_URI is not a setting: did you mean DATABASE_URL?',
    'publicurl is not a setting: did you mean PUBLIC_URL?',
    'MAILFROM is not a setting: did you mean MAIL_FROM?',
    'LOG_LEVLE is not a setting: did you mean LOG_LEVEL?',
    'RELAY_COLOR is not a setting.',
    'FLOOD_EVERYTHING is not a setting.',
    'DATA-DIR is not a setting: did you mean DATA_DIR?',
  ]);
  t.strictSame(misspelt(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, 'x']))), []);
  const others =
    'HOME HOSTNAME HOSTTYPE PATH PWD OLDPWD USER MAIL LOGNAME LANG LC_ALL TERM SHELL SHLVL TZ EDITOR NODE_ENV NODE_OPTIONS PGHOST PGPORT PGDATABASE ' +
    'POSTGRES_PASSWORD KUBERNETES_PORT KUBERNETES_SERVICE_HOST INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS SYSTEMD_EXEC_PID HTTP_PROXY ' +
    'NO_PROXY SSL_CERT_FILE XDG_DATA_DIRS XDG_RUNTIME_DIR CREDENTIALS_DIRECTORY CI DEBUG npm_config_cache A';
  t.strictSame(misspelt(Object.fromEntries(others.split(' ').map((name) => [name, 'x']))), []);
});
