// Measures accepting: one recipient per request, one token per client.
import { type Script, startScript } from './child.ts';
import { type Bench, createTriggers, type Database, ENDPOINT, startLoad, startServer, type Trigger, VOLUME } from './harness.ts';
import type { Load, LoadResult } from './load.ts';
import { inRounds, type Result, ratios, type Series } from './result.ts';

const SECONDS = 3;
const WORKSPACE_SECONDS = 2;

export async function accept(bench: Bench): Promise<Result[]> {
  const database = await bench.database('accept');
  const env = { DATABASE_URL: database.url, FLOOD_REQUESTS_PER_MINUTE: '1000000', FLOOD_RECIPIENTS_PER_HOUR: String(VOLUME) };
  const servers = {
    ours: await startServer(database),
    oneCall: await startScript('references/one-call.ts', env),
    boss: await startScript('references/boss-server.ts', env),
  };
  const load = await startLoad();
  const triggers = await createTriggers(database, 128);
  const results: Result[] = [];
  for (const clients of [32, 128]) results.push(await distinct(servers, load, triggers, clients, bench.scale));
  results.push(await oneWorkspace(database, servers.ours, load, triggers));
  for (const process of [load, ...Object.values(servers)]) await process.end();
  return results;
}

interface Server {
  readonly url: string;
}

/** Runs the load. @throws If any response is not 200. */
export async function offer(load: Script<Load, LoadResult>, { url }: Server, given: Omit<Load, 'url'>): Promise<LoadResult> {
  const result = await load.ask({ url: url + ENDPOINT, ...given });
  const others = Object.keys(result.statuses).filter((status) => status !== '200');
  if (others.length > 0) throw new Error(`the responses were ${JSON.stringify(result.statuses)}`);
  return result;
}

export const series = (name: string, runs: readonly LoadResult[], ours?: readonly LoadResult[]): Series => ({
  name,
  unit: 'requests/s',
  values: rates(runs),
  p99: runs.map(({ p99 }) => p99),
  ratio: ours && ratios(rates(ours), rates(runs)),
});

const rates = (runs: readonly LoadResult[]) => runs.map(({ perSecond }) => perSecond);

async function distinct(
  servers: Record<'ours' | 'oneCall' | 'boss', Server>,
  load: Script<Load, LoadResult>,
  triggers: readonly Trigger[],
  clients: number,
  scale: number,
): Promise<Result> {
  const secrets = triggers.map(({ secret }) => secret);
  const seconds = Math.min(30, SECONDS * scale);
  const against = (server: Server) => (warmUp: boolean) =>
    offer(load, server, { clients, secrets, seconds: warmUp ? 2 : seconds });
  const found = await inRounds({
    ours: against(servers.ours),
    oneCall: against(servers.oneCall),
    boss: against(servers.boss),
  });
  return {
    part: `accept-${clients}`,
    title: `Accept one recipient, ${clients} clients`,
    used: `${found.ours.length} rounds of ${seconds} s; distinct tokens and workspaces`,
    series: [
      series('ours', found.ours),
      series('one database call per request', found.oneCall, found.ours),
      series('node-postgres and pg-boss', found.boss, found.ours),
    ],
  };
}

/** The hourly quota locks the workspace. This measures the cost of that lock when all tokens belong to one workspace. */
async function oneWorkspace(database: Database, ours: Server, load: Script<Load, LoadResult>, distinct: readonly Trigger[]) {
  const [first] = distinct;
  const shared = await createTriggers(database, 32, first && { workspaceId: first.workspaceId });
  const from = (triggers: readonly Trigger[]) => (warmUp: boolean) =>
    offer(load, ours, { clients: 32, secrets: triggers.map(({ secret }) => secret), seconds: warmUp ? 1 : WORKSPACE_SECONDS });
  const found = await inRounds({ distinct: from(distinct), shared: from(shared) });
  return {
    part: 'accept-workspace',
    title: 'Accept with all tokens in one workspace, 32 clients',
    used: `${found.shared.length} rounds of ${WORKSPACE_SECONDS} s`,
    series: [series('tokens of one workspace', found.shared), series('tokens of as many workspaces', found.distinct)],
  };
}
