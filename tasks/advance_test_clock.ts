// Moves the clock of a test workspace, for a turn.
import type { Task } from 'graphile-worker';
import type { TestClocks } from '../src/worker/test-clock.ts';

export default ({ testClocks }: { testClocks: Pick<TestClocks, 'advance'> }): Task =>
  async (payload) => {
    const { workspace_id } = payload as { workspace_id: string };
    await testClocks.advance(workspace_id);
  };
