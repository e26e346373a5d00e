// The sample that `start` creates.
import { SETTINGS } from '../config.ts';
import { openDatabase } from '../database/pool.ts';
import { SIGN_IN_MINUTES } from '../database/sessions.ts';
import { createStore } from '../database/store.ts';
import { signInLink } from '../mail/links.ts';
import { createKey, createSecret } from '../secret.ts';
import { curlLine } from './command.ts';

export interface Sample {
  readonly survey: string;
  /** Undefined: an earlier start created the token, or secrets aren't shown. */
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
 * @param embedded Whether this is the embedded database. In any other database, nothing is created if it already has workspaces.
 * @returns Undefined: there is no sample.
 */
export async function prepareSample(databaseUrl: string, embedded: boolean, showSecrets: boolean): Promise<Sample | undefined> {
  const sql = openDatabase(databaseUrl, { applicationName: 'invitation-trigger cli' });
  try {
    const store = createStore(sql);
    const workspaces = await store.listWorkspaces();
    const signIn = async () => {
      if (!showSecrets) return undefined;
      const { key, hash } = createKey();
      await store.createSignInLink(OWNER, hash);
      return key;
    };
    if (workspaces.some(({ id }) => id === SAMPLE)) {
      const owned = (await store.listMembers(SAMPLE)).some(({ email }) => email === OWNER);
      const owner = owned ? OWNER : undefined;
      return { survey: SAMPLE, owner, secret: undefined, signInKey: owned ? await signIn() : undefined };
    }
    if (!embedded && workspaces.length > 0) return undefined;
    await store.upsertWorkspace({ id: SAMPLE, name: 'Sample workspace' });
    await store.upsertMember(SAMPLE, OWNER, 'owner');
    await store.upsertSurvey({ workspaceId: SAMPLE, id: SAMPLE, title: 'Customer survey', state: 'active' });
    if (!showSecrets) return { survey: SAMPLE, owner: OWNER, secret: undefined, signInKey: undefined };
    const { secret, hash, hint } = createSecret(await store.home());
    await store.createTriggerToken({
      surveyId: SAMPLE,
      name: 'Sample token',
      secretHash: hash,
      secretHint: hint,
      cooldownSeconds: 5,
    });
    return { survey: SAMPLE, owner: OWNER, secret, signInKey: await signIn() };
  } finally {
    await sql.end();
  }
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
    lines.push(
      `Secret:   ${sample.secret}   (shown only once)`,
      '',
      'To send an invitation, run:',
      '',
      curlLine(base, sample.secret),
    );
  }
  return [...lines, '', 'Press Ctrl-C to stop.'].join('\n');
}
