// The sample that `start` makes in a database without workspaces, and what it says to the person at the terminal.
import { openDatabase } from '../database.ts';
import { createFunctions } from '../functions.ts';
import { createSecret } from '../secret.ts';

export interface Sample {
  readonly workspace: string;
  readonly survey: string;
  readonly secret: string;
}

/** A workspace, an active survey and a token to try things with, if the database has no workspace at all. */
export async function createSample(databaseUrl: string): Promise<Sample | undefined> {
  const sql = openDatabase(databaseUrl, { applicationName: 'invitation-trigger cli' });
  try {
    const functions = createFunctions(sql);
    const { length } = await functions.listWorkspaces();
    if (length > 0) return undefined;
    const workspace = await functions.upsertWorkspace({ name: 'Example workspace' });
    const survey = await functions.upsertSurvey({ workspaceId: workspace, title: 'Customer survey', state: 'active' });
    const { secret, hash, hint } = createSecret();
    await functions.createTriggerToken({
      surveyId: survey,
      name: 'Example token',
      secretHash: hash,
      secretHint: hint,
      cooldownSeconds: 5,
    });
    return { workspace, survey, secret };
  } finally {
    await sql.end();
  }
}

export function welcome(base: string, outbox: string | undefined, sample: Sample | undefined): string {
  const lines = [`Service:  ${base}`, `Outbox:   ${outbox ?? '(none: mails leave by the relay)'}`];
  if (sample === undefined) {
    lines.push('', 'For a trigger token: invitation-trigger survey list, then token create --survey ID --name NAME');
  } else {
    lines.push(
      `Survey:   ${base}/s/${sample.survey}`,
      `Secret:   ${sample.secret}   (shown this once)`,
      '',
      'Paste this to invite somebody:',
      '',
      curlLine(base, sample.secret),
    );
  }
  return [...lines, '', 'Ctrl-C stops it.'].join('\n');
}

const curlLine = (base: string, secret: string): string =>
  [
    `curl -sS ${base}/api/invitation-trigger \\`,
    `  -H 'Authorization: Bearer ${secret}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"email": "ada@example.com", "name": "Ada", "metadata": {"order_id": "A-1001"}}'`,
  ].join('\n');
