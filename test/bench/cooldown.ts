// Rejecting within the cooldown: what a caller in a hot loop costs.
import { startScript } from './child.ts';
import { type Bench, createTriggers, ENDPOINT, startLoad, startServer } from './harness.ts';
import { inRounds, type Result, ratios } from './result.ts';

const CLIENTS = 32;
const SECONDS = 3;

export async function cooldown(bench: Bench): Promise<Result[]> {
  const database = await bench.database('cooldown');
  const server = await startServer(database);
  const constant = await startScript('references/constant.ts');
  const load = await startLoad();
  const triggers = await createTriggers(database, CLIENTS, { cooldownSeconds: 86_400 });
  const secrets = triggers.map(({ secret }) => secret);
  const offer = async (url: string, status: number, warmUp: boolean) => {
    const result = await load.ask({ url: url + ENDPOINT, clients: CLIENTS, secrets, seconds: warmUp ? 2 : SECONDS });
    // The first request of each token was accepted.
    const { 200: accepted = 0, 429: rejections = 0, ...others } = result.statuses;
    const expected = status === 200 ? rejections === 0 : accepted <= (warmUp ? CLIENTS : 0);
    if (!expected || Object.keys(others).length > 0) throw new Error(`the responses were ${JSON.stringify(result.statuses)}`);
    return result;
  };
  const found = await inRounds({
    ours: (warmUp) => offer(server.url, 429, warmUp),
    constant: (warmUp) => offer(constant.url, 200, warmUp),
  });
  for (const process of [load, server, constant]) await process.end();
  const rates = (runs: typeof found.ours) => runs.map(({ perSecond }) => perSecond);
  const p99s = (runs: typeof found.ours) => runs.map(({ p99 }) => p99);
  return [
    {
      part: 'cooldown',
      title: `Reject within the cooldown, ${CLIENTS} clients`,
      used: `${found.ours.length} rounds of ${SECONDS} s; distinct tokens`,
      series: [
        { name: 'ours', unit: 'requests/s', values: rates(found.ours), p99: p99s(found.ours) },
        {
          name: 'Polka returning a constant',
          unit: 'requests/s',
          values: rates(found.constant),
          p99: p99s(found.constant),
          ratio: ratios(rates(found.ours), rates(found.constant)),
        },
      ],
    },
  ];
}
