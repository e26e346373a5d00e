// The load of a benchmark, in a process of its own: a number of clients that each send the next request when the last is answered.
import { Pool } from 'undici';

export interface Load {
  readonly url: string;
  readonly clients: number;
  readonly requests: number;
  /** One bearer secret a client, in turn. */
  readonly secrets: readonly string[];
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 200. */
  readonly failed: number;
}

process.on('message', async (load: Load) => {
  process.send?.(await run(load));
  process.disconnect();
});

async function run({ url, clients, requests, secrets }: Load): Promise<LoadResult> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: clients });
  const times: number[] = [];
  let left = requests;
  let failed = 0;
  const client = async (_: unknown, index: number) => {
    const headers = { authorization: `Bearer ${secrets[index % secrets.length]}`, 'content-type': 'application/json' };
    while (left-- > 0) {
      const began = performance.now();
      const body = JSON.stringify({ email: `person${left}@example.com`, metadata: { order: left } });
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
      await answer.body.dump();
      times.push(performance.now() - began);
      if (answer.statusCode !== 200) failed += 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: requests / seconds, p50: at(0.5), p99: at(0.99), failed };
}
