// CHAOS=migrations: twenty migrations of one empty database run at the same time.
import { migrate } from '../../src/database/migrate.ts';
import { openChaos } from './harness.ts';

export async function migrations(): Promise<number> {
  const { sql, url, close } = await openChaos('chaos_migrate');
  await sql.unsafe('drop schema invite cascade; drop schema graphile_worker cascade');
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => migrate(url)));
  const failed = results.filter((result) => result.status === 'rejected').length;
  console.log(`20 concurrent migrations of one empty database: ${failed} failed`);
  await close();
  return failed;
}
