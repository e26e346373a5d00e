// The sample that `start` makes to try things with, and what it says to the person at the terminal.
import { SETTINGS } from '../config.ts';
import { openDatabase } from '../database/pool.ts';
import { createStore } from '../database/store.ts';
import { signInLink } from '../mail/links.ts';
import { createKey, createSecret } from '../secret.ts';
import { curlLine } from './command.ts';

export interface Sample {
  readonly survey: string;
  /** Undefined if it was made by an earlier start: a secret is shown once. */
  readonly secret: string | undefined;
  /** Signs the sample's owner in, once, within 15 minutes. Undefined if the sample has no such owner: then it is somebody's own workspace. */
  readonly signInKey: string | undefined;
}

/** Id of the sample's workspace and of its survey. */
const SAMPLE = 'sample';
const OWNER = 'owner@example.com';
const DEFAULT_ADDRESS = `http://${SETTINGS.HOST.default}:${SETTINGS.PORT.default}`;

/**
 * A workspace, an active survey and a token to try things with.
 * @param embedded Whether the database is the embedded one; in any other, nothing is made where there are workspaces already.
 * @returns Undefined if there is none.
 */
export async function prepareSample(databaseUrl: string, embedded: boolean): Promise<Sample | undefined> {
  const sql = openDatabase(databaseUrl, { applicationName: 'invitation-trigger cli' });
  try {
    const store = createStore(sql);
    const workspaces = await store.listWorkspaces();
    const signIn = async () => {
      const { key, hash } = createKey();
      await store.createSignInLink(OWNER, hash);
      return key;
    };
    if (workspaces.some(({ id }) => id === SAMPLE)) {
      const owned = (await store.listMembers(SAMPLE)).some(({ email }) => email === OWNER);
      return { survey: SAMPLE, secret: undefined, signInKey: owned ? await signIn() : undefined };
    }
    if (!embedded && workspaces.length > 0) return undefined;
    await store.upsertWorkspace({ id: SAMPLE, name: 'Sample workspace' });
    await store.upsertMember(SAMPLE, OWNER, 'owner');
    await store.upsertSurvey({ workspaceId: SAMPLE, id: SAMPLE, title: 'Customer survey', state: 'active' });
    const { secret, hash, hint } = createSecret();
    await store.createTriggerToken({
      surveyId: SAMPLE,
      name: 'Sample token',
      secretHash: hash,
      secretHint: hint,
      cooldownSeconds: 5,
    });
    return { survey: SAMPLE, secret, signInKey: await signIn() };
  } finally {
    await sql.end();
  }
}

export function welcome(base: string, outbox: string | undefined, sample: Sample | undefined): string {
  const lines = [`Service:  ${base}`, `Outbox:   ${outbox ?? '(none: mails leave by the relay)'}`];
  if (sample !== undefined) {
    lines.push(`Survey:   ${base}/s/${sample.survey}`);
  }
  if (sample?.signInKey !== undefined) {
    lines.push(`Sign in:  ${signInLink(base, sample.signInKey)}   (once, within 15 minutes)`);
  }
  if (sample?.secret === undefined) {
    lines.push('', 'For a trigger secret and the call to paste, in another terminal:', '');
    // The command knows the address by the same settings.
    const settings = base === DEFAULT_ADDRESS ? '' : `PUBLIC_URL=${base} `;
    lines.push(`${settings}npx invitation-trigger token create --survey ${sample?.survey ?? 'ID'} --name mine`);
  } else {
    lines.push(
      `Secret:   ${sample.secret}   (shown this once)`,
      '',
      'Paste this to invite somebody:',
      '',
      curlLine(base, sample.secret),
    );
  }
  return [...lines, '', 'Ctrl-C stops it.'].join('\n');
}
