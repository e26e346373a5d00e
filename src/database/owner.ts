// The session in which migrate runs: as the owner of the schemas, with the migrator's own limits.
import { OperatorError } from '../errors.ts';
import { errorCode, openDatabase, type SessionSettings, type Sql } from './pool.ts';

/**
 * In milliseconds. While a statement waits for a lock, others wait behind it, so it waits only briefly. Less than deadlock_timeout (1 s).
 */
export const LOCK_WAIT = 500;
/** In milliseconds. A migrate that can't reach the database any more holds its locks for that long. */
const IDLE_WAIT = 30_000;
/** The migrator's limits, in milliseconds; '0': none, as text because postgres.js sends no number 0. A role's own are for other work. */
const LIMITS = {
  statement_timeout: '0',
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: IDLE_WAIT,
  lock_timeout: LOCK_WAIT,
};

/**
 * Opens a session with the migrator's own limits, as the owner of the schema invite. Then what is created belongs to the owner, whichever of
 * its members runs migrate.
 * @throws {OperatorError} The role isn't a member of the owner, or the owner may not do something: with PostgreSQL's own words.
 */
export async function asOwner<T>(url: string, work: (sql: Sql, settings: SessionSettings) => Promise<T>): Promise<T> {
  const sql = openDatabase(url, { applicationName: 'invitation-trigger migrate', transactions: true, settings: LIMITS });
  let owner: string | undefined;
  let role = '';
  try {
    // PostgreSQL 17 has another one. It would refuse the session if an older version did.
    const newer = await sql<{ name: string }[]>`
      select s.name, set_config(s.name, '0', false) from pg_settings as s where s.name = 'transaction_timeout'`;
    const [row] = await sql<{ role: string; owner: string | null }[]>`
      select current_user::text as role, (select pg_get_userbyid(n.nspowner)::text from pg_namespace as n where n.nspname = 'invite') as owner`;
    role = row?.role ?? '';
    owner = row?.owner ?? undefined;
    if (owner !== undefined && owner !== role) await sql`set role ${sql(owner)}`;
    return await work(sql, {
      ...(owner !== undefined && { role: owner }),
      ...LIMITS,
      ...Object.fromEntries(newer.map(({ name }) => [name, '0'])),
    });
  } catch (error) {
    const { message, detail } = error as Error & { detail?: string };
    switch (errorCode(error)) {
      case '42501':
        throw new OperatorError(refusal(message, role, owner), { cause: error });
      case '2BP01':
        throw new OperatorError(
          `PostgreSQL refuses: ${message} (${detail}). Drop what isn't the service's, run migrate again, and create it again.`,
          { cause: error },
        );
      default:
        throw error;
    }
  } finally {
    await sql.end();
  }
}

/** Says why the role may not migrate, and what to do. */
function refusal(message: string, role: string, owner: string | undefined): string {
  const docs = 'See Database roles in docs/operations.md.';
  if (owner === undefined)
    return `The role ${role} may not create the schemas (${message}): run \`sql/roles.sql\`, or grant it create on the database. ${docs}`;
  if (/^permission denied to set role/.test(message)) {
    return `The role ${role} may not migrate (${message}): use ${owner}, which owns the schema invite, or a role that was granted it. ${docs}`;
  }
  return `The role ${owner} owns the schema invite, but may not do this (${message}): run \`sql/hand_over.sql\` as a superuser. ${docs}`;
}
