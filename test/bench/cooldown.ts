// Measures what it costs to reject requests within the cooldown, as when a caller repeats them in a tight loop.
import { type Bench, createTriggers, ENDPOINT, startLoad, startServer } from './harness.ts';
import { inRounds, type Result } from './result.ts';

const CLIENTS = 32;
const SECONDS = 3;

export async function cooldown(bench: Bench): Promise<Result[]> {
  const database = await bench.database('cooldown');
  const server = await startServer(database);
  const load = await startLoad();
  const triggers = await createTriggers(database, CLIENTS, { cooldownSeconds: 86_400 });
  const secrets = triggers.map(({ secret }) => secret);
  const { ours } = await inRounds({
    ours: async (warmUp) => {
      const result = await load.ask({ url: server.url + ENDPOINT, clients: CLIENTS, secrets, seconds: warmUp ? 2 : SECONDS });
      // In the warm-up, the first request of each token is accepted. All later ones must be rejected.
      const { 200: accepted = 0, 429: _, ...others } = result.statuses;
      if (accepted > (warmUp ? CLIENTS : 0) || Object.keys(others).length > 0)
        throw new Error(`the responses were ${JSON.stringify(result.statuses)}`);
      return result;
    },
  });
  for (const process of [load, server]) await process.end();
  return [
    {
      part: 'cooldown',
      title: `Reject within the cooldown, ${CLIENTS} clients`,
      used: `${ours.length} rounds of ${SECONDS} s; distinct tokens`,
      series: [
        {
          name: 'ours',
          unit: 'requests/s',
          values: ours.map(({ perSecond }) => perSecond),
          p99: ours.map(({ p99 }) => p99),
        },
      ],
    },
  ];
}
