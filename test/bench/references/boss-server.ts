// The same endpoint as a typical service would build it: an Express-style handler, node-postgres, and one transaction per request that also
// sends a pg-boss job. Tables, rows and checks are the product's: token, workspace, plan, survey, cooldown under the token's lock, and
// quota under the workspace's lock. pg-boss and the pool have their default settings.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import polka, { type Request, type Response } from 'polka';
import { answer } from '../child.ts';

const RECIPIENTS_PER_HOUR = Number(process.env.FLOOD_RECIPIENTS_PER_HOUR);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const boss = new PgBoss(process.env.DATABASE_URL ?? '');
boss.on('error', (error) => console.error(error.message));

interface Payload {
  readonly email?: unknown;
  readonly name?: unknown;
  readonly metadata?: unknown;
}

async function trigger(request: Request, response: Response): Promise<void> {
  const [status, body] = await accept(request).catch(() => [500, { ok: false }] as const);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function accept(request: Request): Promise<readonly [status: number, body: object]> {
  const { email, name, metadata } = await readJson(request);
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) return [422, { ok: false, code: 'missing_recipient' }];
  const hash = createHash('sha256')
    .update(request.headers.authorization?.slice('Bearer '.length) ?? '')
    .digest();
  const client = await pool.connect();
  try {
    await client.query('begin');
    const answered = await write(client, hash, { email, name, metadata });
    await client.query(answered[0] === 200 ? 'commit' : 'rollback');
    return answered;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function write(client: pg.PoolClient, hash: Buffer, { email, name, metadata }: Payload) {
  const { rows: tokens } = await client.query(
    `select t.*, s.workspace_id, s.disabled_at, w.suspended_at, p.api_trigger,
       (select max(b.accepted_at) from invite.batches as b where b.trigger_token_id = t.id)
         + t.cooldown_seconds * interval '1 second' > clock_timestamp() as cooling
     from invite.trigger_tokens as t
     join invite.surveys as s on s.id = t.survey_id
     join invite.workspaces as w on w.id = s.workspace_id
     join invite.plans as p on p.id = w.plan_id
     where t.secret_hash = $1 and t.deleted_at is null
     for no key update of t`,
    [hash],
  );
  const [token] = tokens;
  if (token === undefined) return [401, { ok: false, code: 'unknown_token' }] as const;
  if (token.suspended_at !== null || token.disabled_at !== null || !token.api_trigger) return [403, { ok: false }] as const;
  if (token.cooling) return [429, { ok: false, code: 'cooldown' }] as const;

  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [token.workspace_id]);
  const { rows: quotas } = await client.query(
    `select n.workspace_total as total, n.workspace_total - coalesce(o.workspace_total - o.recipients, n.workspace_total) as used
     from (select workspace_total from invite.batches where workspace_id = $1 and workspace_total is not null order by workspace_total desc limit 1) as n
     left join lateral (
       select workspace_total, recipients from invite.batches
       where workspace_id = $1 and workspace_total > n.workspace_total - $2 and accepted_at > now() - interval '1 hour'
       order by workspace_total limit 1
     ) as o on true`,
    [token.workspace_id, RECIPIENTS_PER_HOUR],
  );
  const { total, used } = quotas[0] ?? { total: 0, used: 0 };
  if (Number(used) + 1 > RECIPIENTS_PER_HOUR) return [429, { ok: false, code: 'flood_protection' }] as const;
  const { rows: batches } = await client.query(
    `insert into invite.batches (
       id, workspace_id, survey_id, trigger_token_id, subject, message, reminders, metadata, recipients, workspace_total,
       scheduled_at, accepted_at)
     values (invite.uuidv7(now()), $1, $2, $3, $4, $5, $6, $7, 1, $8, now(), now()) returning id, scheduled_at`,
    [
      ...[token.workspace_id, token.survey_id, token.id, token.default_subject, token.default_message],
      ...[token.default_reminders, metadata, Number(total) + 1],
    ],
  );
  const { rows: invitations } = await client.query(
    `with invited as (
       insert into invite.invitations (batch_id, workspace_id, survey_id, email, name)
       values ($1, $2, $3, $4, $5) returning id, workspace_id, survey_id, email
     ),
     addressed as (
       insert into invite.addresses (workspace_id, email, invitation_id)
       select workspace_id, lower(email), id from invited
     )
     insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at)
     select id, survey_id, now(), now(), now() + interval '1 hour' from invited
     returning invitation_id as id`,
    [batches[0].id, token.workspace_id, token.survey_id, email, name],
  );
  const job = { survey_id: token.survey_id, invitation_ids: [invitations[0].id] };
  await boss.send('send', job, { db: { executeSql: (text, values) => client.query(text, values) } });
  const batch = { uuid: batches[0].id, scheduled_at: batches[0].scheduled_at, status: 'queued' };
  return [200, { ok: true, message: 'Invitation queued.', batch }] as const;
}

async function readJson(request: Request): Promise<Payload> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as Payload;
}

await boss.start();
await boss.createQueue('send');
const server = createServer();
polka({ server })
  .post('/api/invitation-trigger', trigger)
  .listen(0, '127.0.0.1', () => answer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => true));
