// Measures how long the server takes to reject 1 MiB of each hostile shape.
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
  // After this request the server knows the token, so it counts the next ones by token and not by client address.
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
      // The first round warms up and isn't counted.
      if (round > 0) values.push(performance.now() - began);
    }
    series.push({ name, unit: 'ms' as const, values });
  }
  await server.end();
  const used = `${ROUNDS} requests of each shape, one after the other`;
  return [{ part: 'bodies', title: 'Reject 1 MiB of a hostile shape', used, series }];
}
