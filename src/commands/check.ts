// Checks whether the service will work here. Each line says what is wrong and what to do.
import { type Command, CommanderError } from 'commander';
import { type Finding, fetchFault } from '../check/finding.ts';
import { misspelt } from '../check/misspelt.ts';
import { checkRelay } from '../check/relay-key.ts';
import { checkSender } from '../check/sender-dns.ts';
import { type Config, ConfigError } from '../config.ts';
import {
  type DatabaseFacts,
  inspectDatabase,
  inspectRules,
  inspectSecrets,
  lastingConnectFault,
  type RulesInUse,
} from '../database/inspect.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import { errorCode, isPooled, openDatabase } from '../database/pool.ts';
import { createStore } from '../database/store.ts';
import { EXIT_CODES } from '../errors.ts';
import { createNetworks } from '../events/networks.ts';
import { domainOf, sendingDomains } from '../mail/sender.ts';
import { RELAYS } from '../relay/registry.ts';
import { keyringOf } from '../sealed.ts';
import { plural } from '../text.ts';
import type { Context } from './command.ts';
import { actsIn } from './status.ts';

const TIMEOUT_MS = 5_000;

interface Options {
  readonly returnPath?: string;
  readonly dkimSelector?: string;
  readonly resolver?: string;
}

export function addCheckCommand(program: Command, { env, config: readConfig, print }: Context): void {
  program
    .command('check')
    .description('check settings, database, relay, public address, webhook and the DNS of senders; sends nothing')
    .option('--return-path <DOMAIN>', 'also look up its SPF record')
    .option('--dkim-selector <NAME>', 'also look up its key at each domain')
    .option('--resolver <ADDRESS>', 'the DNS server to ask')
    .action(async ({ returnPath, dkimSelector, resolver }: Options) => {
      let findings: Finding[];
      try {
        const config = readConfig({ sends: true });
        createNetworks(config.WEBHOOK_ALLOW);
        const parts: (Finding[] | Promise<Finding[]>)[] = [
          [{ subject: 'settings', state: 'ok', text: 'can be read' }],
          misspelt(env).map((text): Finding => ({ subject: 'settings', state: 'note', text, advice: 'It has no effect.' })),
          checkDatabase(config),
          checkRelay(config).then((finding) => [finding]),
          checkAddress(config),
          checkWebhook(config),
        ];
        if (config.RELAY !== '' && config.RELAY !== 'mailpit') {
          const domains = sendingDomains({ from: config.MAIL_FROM, senderDomains: config.SENDER_DOMAINS });
          const own = domainOf(config.MAIL_FROM.email);
          parts.push(checkSender({ domains: [...new Set([own, ...domains])], returnPath, selector: dkimSelector, resolver }));
        }
        findings = (await Promise.all(parts)).flat();
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        findings = error.message
          .split('\n')
          .map((text) => ({ subject: 'settings', state: 'fault', text, advice: 'See docs/operations.md.' }));
      }
      const isGood = findings.every(({ state }) => state !== 'fault');
      print({ ok: isGood, findings }, findings.map(inWords).join('\n'));
      if (!isGood) throw new CommanderError(EXIT_CODES.setup, 'check', '');
    });
}

const inWords = ({ state, subject, text, advice }: Finding): string =>
  `${(state === 'fault' ? 'FAULT' : state).padEnd(6)}${subject.padEnd(9)} ${text}${advice === undefined ? '' : `\n${' '.repeat(16)}${advice}`}`;

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { DATABASE_URL: url, RETENTION_DAYS: retentionDays, DATABASE_POOL: pool } = config;
  const finding = (state: Finding['state'], text: string, advice?: string): Finding => ({
    subject: 'database',
    state,
    text,
    ...(advice !== undefined && { advice }),
  });
  if (url === undefined) return [finding('fault', 'DATABASE_URL is not set', 'Set it to a PostgreSQL 15 or newer.')];
  let facts: Awaited<ReturnType<typeof inspectDatabase>>;
  try {
    facts = await inspectDatabase(url);
  } catch (error) {
    const { message } = error as Error;
    const advice = 'Check host and port in DATABASE_URL, the firewall, and listen_addresses and pg_hba.conf of PostgreSQL.';
    const lasting = lastingConnectFault(error);
    return [
      lasting === undefined
        ? finding('fault', `can't be reached (${errorCode(error)}): ${message}`, advice)
        : finding('fault', lasting),
    ];
  }
  const {
    version,
    isSupported,
    encoding,
    isStandby,
    notWritable,
    role,
    wrongSettings,
    searched,
    owner,
    strays,
    schemaVersion,
    mayServe,
    mayWork,
    mayMigrate,
    server,
  } = facts;
  const duties = [mayMigrate && 'migrate', mayWork && 'work', mayServe && 'serve'].filter((duty) => typeof duty === 'string');
  return [
    finding(isSupported ? 'ok' : 'fault', `PostgreSQL ${version}`, isSupported ? undefined : 'Upgrade it to 15 or newer.'),
    finding(
      encoding === 'UTF8' ? 'ok' : 'fault',
      `encoding ${encoding}`,
      encoding === 'UTF8' ? undefined : "Create the database with encoding 'UTF8'.",
    ),
    isStandby
      ? finding('fault', 'it is a standby, which is read-only', 'Connect to the primary.')
      : notWritable === undefined
        ? finding('note', 'no write was tried', 'Migrate, and check with the role that serves or works.')
        : notWritable === null
          ? finding('ok', 'it can be written')
          : finding(
              'fault',
              `it takes no writes (${notWritable.code}): ${notWritable.reason}`,
              notWritable.code === '53100' ? 'Free space on its disk.' : 'See default_transaction_read_only.',
            ),
    duties.length === 0
      ? finding('fault', `the role ${role} may neither migrate nor work nor serve`, 'See Database roles in docs/operations.md.')
      : finding('ok', `the role ${role} may ${duties.join(', ')}`),
    ...(wrongSettings.length === 0
      ? []
      : [
          finding(
            'fault',
            `behind the pooler, the role ${role} lacks the settings ${wrongSettings.join(', ')}`,
            'Set them with alter role: see Database roles in docs/operations.md.',
          ),
        ]),
    ...(searched.length === 0
      ? []
      : [
          finding(
            'note',
            `behind the pooler, the role ${role} also looks up functions in ${searched.join(', ')}`,
            'Set its search_path: see Database roles in docs/operations.md. Otherwise people who may create functions there can run them as this role.',
          ),
        ]),
    ...(strays.length === 0
      ? []
      : [
          finding(
            'fault',
            `not everything belongs to ${owner}, as the schema invite does: ${strays.join(', ')}`,
            'Run `sql/hand_over.sql` as a superuser: the next `migrate` could fail.',
          ),
        ]),
    schemaVersion === SCHEMA_VERSION
      ? finding('ok', `schema version ${schemaVersion}`)
      : (schemaVersion ?? 0) > SCHEMA_VERSION
        ? finding(
            'note',
            `schema version ${schemaVersion}, newer than this code's ${SCHEMA_VERSION}`,
            'Run the newer version of the service.',
          )
        : finding(
            'fault',
            `schema version ${schemaVersion ?? 'none'}, this code needs ${SCHEMA_VERSION}`,
            'Run `invitation-trigger migrate`.',
          ),
    ...serverFindings(server, pool, isPooled(url)).map(([state, text, advice]) => finding(state, text, advice)),
    ...(schemaVersion === SCHEMA_VERSION
      ? [
          ...rulesFindings(await inspectRules(url), retentionDays),
          ...secretsFindings(await inspectSecrets(url), keyringOf(config).keyIds),
          ...(await statusFindings(url)),
        ]
      : []),
  ];
}

/** What `status` says somebody must look at. Nothing, if the role may not read it. */
async function statusFindings(url: string): Promise<Finding[]> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger check' });
  try {
    const acts = actsIn(await createStore(sql).readStatus(), new Date());
    return acts.map((text) => ({ subject: 'status', state: 'note', text }));
  } catch (error) {
    if (errorCode(error) === '42501') return [];
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Whether the secrets that are stored encrypted can be read, and with which keys. */
function secretsFindings(
  stored: readonly { keyId: string; secrets: number }[],
  [current, ...older]: readonly string[],
): Finding[] {
  const finding = (state: Finding['state'], text: string, advice?: string): Finding => ({
    subject: 'secrets',
    state,
    text,
    ...(advice !== undefined && { advice }),
  });
  const count = (isMeant: (keyId: string) => boolean) =>
    stored.filter(({ keyId }) => isMeant(keyId)).reduce((sum, { secrets }) => sum + secrets, 0);
  const old = count((keyId) => older.includes(keyId));
  const lost = count((keyId) => keyId !== current && !older.includes(keyId));
  return [
    current === undefined
      ? finding(
          'note',
          'SECRET_KEYS is not set',
          "Set it to a key of `openssl rand -base64 32`: until then webhooks can't be created.",
        )
      : finding(
          'ok',
          `${plural(
            count((keyId) => keyId === current),
            'secret',
          )} encrypted with the first key of SECRET_KEYS`,
        ),
    ...(old === 0
      ? []
      : [
          finding(
            'note',
            `${plural(old, 'secret')} encrypted with an older key`,
            'Run `invitation-trigger secrets renew` before you remove that key.',
          ),
        ]),
    ...(lost === 0
      ? []
      : [
          finding(
            'fault',
            `${plural(lost, 'secret')} encrypted with a key that isn't in SECRET_KEYS`,
            'Add that key again, or replace the secrets: `invitation-trigger webhook rotate`.',
          ),
        ]),
  ];
}

/** Rules about when emails may leave that don't do what they say. */
/** In MB. Below it, checkpoints come so often under load that each row is written many times. */
const MIN_WAL_SIZE = 2_048;
/** Those of a server besides its pool: six of the console. A worker has fewer. */
const MORE_CONNECTIONS = 6;

/** What of the server's settings costs speed or, in time, the database. @param pool Connections in the pool of a process. */
export function serverFindings(
  {
    autovacuum,
    jit,
    wal_compression: walCompression,
    max_wal_size: walSize,
    max_connections: most,
    connections,
  }: DatabaseFacts['server'],
  pool: number,
  pooled: boolean,
): [state: Finding['state'], text: string, advice?: string][] {
  const needed = 2 * (pool + MORE_CONNECTIONS);
  const found: [Finding['state'], string, string][] = [];
  if (autovacuum === 'off')
    found.push(['note', 'autovacuum is off: the tables grow without end', 'Set autovacuum and track_counts to on.']);
  if (jit === 'on')
    found.push(['note', 'jit is on, and compiles views for seconds', 'For roles that read them: alter role … set jit = off.']);
  if (walCompression === 'off') found.push(['note', 'wal_compression is off', 'Set it to lz4: half as much is written ahead.']);
  if (walSize < MIN_WAL_SIZE)
    found.push(['note', `max_wal_size is ${walSize} MB`, `Set it to ${MIN_WAL_SIZE} MB or more, so that checkpoints are rare.`]);
  if (!pooled && most - connections < needed) {
    found.push([
      'note',
      `${most - connections} of ${most} connections are free; a server and a worker open up to ${needed}`,
      'Raise max_connections, lower DATABASE_POOL, or let serve use PgBouncer.',
    ]);
  }
  return found.length > 0 ? found : [['ok', 'autovacuum, WAL, JIT and connections are set well']];
}

function rulesFindings({ unknownTimeZones, longestRest }: RulesInUse, retentionDays: number | undefined): Finding[] {
  return [
    ...(unknownTimeZones.length === 0
      ? []
      : [
          {
            subject: 'rules',
            state: 'note',
            text: `the server doesn't know the time zones ${unknownTimeZones.join(', ')}`,
            advice: "Update the server's time zones, or choose others: until then the next zone counts, at last UTC.",
          } as const,
        ]),
    ...(longestRest === null || retentionDays === undefined || longestRest <= retentionDays
      ? []
      : [
          {
            subject: 'rules',
            state: 'note',
            text: `a rest of ${longestRest} days is longer than RETENTION_DAYS (${retentionDays})`,
            advice: 'Raise RETENTION_DAYS, or shorten the rest: it ends when the address is erased.',
          } as const,
        ]),
  ];
}

/** Whether this service answers at the address in its emails. */
async function checkAddress({ PUBLIC_URL: address }: Config): Promise<Finding[]> {
  const finding = (state: Finding['state'], text: string, advice: string): Finding[] => [
    { subject: 'address', state, text, advice },
  ];
  if (address === undefined) return finding('note', 'PUBLIC_URL is not set', 'Set it, or links lead to this machine.');
  const behind = 'Start `serve`, and let the proxy of this address lead to it.';
  try {
    const response = await fetch(`${address}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const isOurs = response.status === 200 && (await response.text()).trim() === '{"ok":true}';
    if (!isOurs) return finding('fault', `something else answers at ${address} (${response.status})`, behind);
  } catch (error) {
    return finding(
      'note',
      `nothing answers at ${address} (${fetchFault(error)})`,
      `${behind} From this machine it may not be reachable.`,
    );
  }
  if (address.startsWith('http:'))
    return finding('note', `${address} is not https`, 'Put TLS in front, and set PUBLIC_URL to https.');
  return [{ subject: 'address', state: 'ok', text: `this service answers at ${address}` }];
}

function checkWebhook({ RELAY: relay, RELAY_EVENTS_SECRET: secret }: Config): Finding[] {
  const source = relay === '' || relay === 'smtp' ? undefined : RELAYS[relay].events;
  if (source === undefined) return [];
  if (secret === undefined) {
    const advice = 'Register the webhook and set it: otherwise bounces and complaints are not noticed.';
    return [{ subject: 'webhook', state: 'note', text: 'RELAY_EVENTS_SECRET is not set', advice }];
  }
  const rule = source.checkSecret(secret);
  if (rule === undefined) return [{ subject: 'webhook', state: 'ok', text: `the secret has ${relay}'s form` }];
  return [{ subject: 'webhook', state: 'fault', text: `RELAY_EVENTS_SECRET is not ${relay}'s`, advice: `It must ${rule}.` }];
}
