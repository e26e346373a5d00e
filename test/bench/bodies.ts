// Hostile bodies: how long the server takes to reject 1 MiB of each shape.
import { FORMS, JSONS } from '../fixtures/shapes.ts';
import { type Bench, createTrigger, ENDPOINT, startServer } from './harness.ts';
import type { Result } from './result.ts';

const BYTES = 1024 * 1024;
const ROUNDS = 5;

export async function bodies(bench: Bench): Promise<Result[]> {
  const database = await bench.database('bodies');
  const server = await startServer(database);
  const { secret } = await createTrigger(database);
  const post = async (type: string, body: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': type };
    const response = await fetch(server.url + ENDPOINT, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  // From then on the token is known, and its requests are counted by it.
  await post('application/json', '{"email":"ada@example.com"}');
  const shapes = [
    ...Object.entries(FORMS).map(([name, shape]) => [`form: ${name}`, shape] as const),
    ...Object.entries(JSONS).map(([name, shape]) => [`JSON: ${name}`, shape] as const),
  ];
  const series = [];
  for (const [name, { type, of }] of shapes) {
    const body = of(BYTES);
    const values = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const began = performance.now();
      const status = await post(type, body);
      if (status !== 400) throw new Error(`${name} was answered ${status}`);
      // The first warms up.
      if (round > 0) values.push(performance.now() - began);
    }
    series.push({ name, unit: 'ms' as const, values });
  }
  await server.end();
  const used = `${ROUNDS} requests of each shape, one after the other`;
  return [{ part: 'bodies', title: 'Reject 1 MiB of a hostile shape', used, series }];
}
