// The sample that `start` creates.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../config.ts';
import { openDatabase } from '../database/pool.ts';
import { SIGN_IN_MINUTES } from '../database/sessions.ts';
import { createStore, type Store } from '../database/store.ts';
import { signInLink } from '../mail/links.ts';
import { createKey, createSecret } from '../secret.ts';
import { curlLine } from './command.ts';

export interface Sample {
  readonly survey: string;
  /** Undefined: secrets aren't shown, or an earlier start has shown it and it isn't kept. */
  readonly secret: string | undefined;
  /** Undefined: somebody else created the workspace. */
  readonly owner: string | undefined;
  /** Undefined: there is no owner, or secrets aren't shown. */
  readonly signInKey: string | undefined;
}

/** The id of both the workspace and the survey. */
const SAMPLE = 'sample';
const OWNER = 'owner@example.com';
/** How the reader runs a command: from a checkout, where the program isn't installed, or from the package. */
const PROGRAM = import.meta.filename.endsWith('.ts') ? 'npm run -s cli --' : 'invitation-trigger';
const DEFAULT_ADDRESS = `http://${SETTINGS.HOST.default}:${SETTINGS.PORT.default}`;

/**
 * Creates a workspace, an active survey and a token, each unless it exists. The token is created only if its secret can be shown.
 * @param showSecrets False if the output may end up in a log.
 * @param folder Of the embedded database: the sample's secret is kept in it, so that each start can show it. Undefined: the database is
 * another one. Then nothing is created if it already has workspaces, and no secret is kept.
 * @returns Undefined: there is no sample.
 */
export async function prepareSample(
  databaseUrl: string,
  folder: string | undefined,
  showSecrets: boolean,
): Promise<Sample | undefined> {
  const sql = openDatabase(databaseUrl, { applicationName: 'invitation-trigger cli' });
  try {
    const store = createStore(sql);
    const workspaces = await store.listWorkspaces();
    const isNew = !workspaces.some(({ id }) => id === SAMPLE);
    if (isNew && folder === undefined && workspaces.length > 0) return undefined;
    if (isNew) {
      await store.upsertWorkspace({ id: SAMPLE, name: 'Sample workspace' });
      await store.upsertMember(SAMPLE, OWNER, 'owner');
      await store.upsertSurvey({ workspaceId: SAMPLE, id: SAMPLE, title: 'Customer survey', state: 'active' });
    }
    const isOwned = (await store.listMembers(SAMPLE)).some(({ email }) => email === OWNER);
    const sample = { survey: SAMPLE, owner: isOwned ? OWNER : undefined };
    if (!showSecrets) return { ...sample, secret: undefined, signInKey: undefined };
    const hasSurvey = (await store.findSurvey(SAMPLE)) !== undefined;
    const kept = folder !== undefined && hasSurvey ? await keptSecret(store, join(folder, 'sample-secret.json')) : undefined;
    return {
      ...sample,
      secret: kept ?? (isNew ? (await createToken(store)).secret : undefined),
      signInKey: isOwned ? await createLink(store) : undefined,
    };
  } finally {
    await sql.end();
  }
}

/** The secret in a file; a new one if there is none, or if its token was deleted. Who reads the file can read the database beside it, too. */
async function keptSecret(store: Store, file: string): Promise<string> {
  const tokens = await store.listTriggerTokens(SAMPLE);
  try {
    const { id, secret } = JSON.parse(readFileSync(file, 'utf8')) as { id: string; secret: string };
    if (tokens.some((token) => token.id === id)) return secret;
  } catch {
    // There is none yet, or somebody has edited it.
  }
  const created = await createToken(store);
  writeFileSync(file, JSON.stringify(created), { mode: 0o600 });
  return created.secret;
}

async function createToken(store: Store): Promise<{ id: string; secret: string }> {
  const { secret, hash, hint } = createSecret(await store.homeOf(SAMPLE));
  const token = { surveyId: SAMPLE, name: 'Sample token', secretHash: hash, secretHint: hint, cooldownSeconds: 5 };
  return { id: await store.createTriggerToken(token), secret };
}

async function createLink(store: Store): Promise<string> {
  const { key, hash } = createKey(await store.home());
  await store.createSignInLink(OWNER, hash);
  return key;
}

export function welcome(base: string, outbox: string | undefined, sample: Sample | undefined): string {
  const lines = [`Service:  ${base}`, `Outbox:   ${outbox ?? '(none: emails are sent through the relay)'}`];
  if (sample !== undefined) {
    lines.push(`Survey:   ${base}/s/${sample.survey}`);
  }
  if (sample?.signInKey !== undefined) {
    lines.push(`Sign in:  ${signInLink(base, sample.signInKey)}   (works once, expires in ${SIGN_IN_MINUTES} minutes)`);
  }
  const settings = base === DEFAULT_ADDRESS ? '' : `PUBLIC_URL=${base} `;
  if (sample?.owner !== undefined && sample.signInKey === undefined) {
    lines.push('', 'To sign in, run in another terminal:', '');
    lines.push(`${settings}${PROGRAM} member sign-in-link --email ${sample.owner}`);
  }
  if (sample?.secret === undefined) {
    lines.push('', 'To create a trigger secret, run in another terminal:', '');
    lines.push(`${settings}${PROGRAM} token create --survey ${sample?.survey ?? 'ID'} --name mine`);
  } else {
    lines.push(`Secret:   ${sample.secret}`, '', 'To send an invitation, run:', '', curlLine(base, sample.secret));
  }
  return [...lines, '', 'Press Ctrl-C to stop.'].join('\n');
}
