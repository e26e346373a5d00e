// The test workspaces of a workspace, on the page of its settings.
import type { OwnWorkspace, TestWorkspace } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { clockTime, form, fullMoment, refusal, table } from '../components.ts';
import type { PageContext } from '../frame.ts';

/** @param error Says why none was created. */
export function testWorkspacesPart(
  { csrf, me, realNow }: PageContext,
  { id }: OwnWorkspace,
  workspaces: readonly TestWorkspace[],
  error: string | undefined,
): Html {
  const name = (one: TestWorkspace) =>
    me.workspaces.some((own) => own.id === one.id)
      ? html`<a href="/workspaces/${one.id}">${one.name} (test)</a><span class="sub">${one.id}</span>`
      : html`${one.name} (test)<span class="sub">${one.id}: you aren't a member of it</span>`;
  return html`<section aria-labelledby="tests"><h2 id="tests">Test workspaces</h2>
${error && refusal(error)}
<p class="note">A test workspace has copies of the surveys, settings and members, and a clock that you move: see within seconds what happens in a month. Its emails go to an outbox, and nothing is sent.</p>
${
  workspaces.length > 0 &&
  table(
    'Test workspaces',
    ['Name', 'Its clock says', ['Created', 'time']],
    workspaces.map((one) => [name(one), clockTime(one.now), fullMoment(one.createdAt, realNow)]),
  )
}
${form(csrf, html`<button class="quiet" type="submit">Create a test workspace</button>`, { action: `/workspaces/${id}/test-workspaces` })}
</section>`;
}
