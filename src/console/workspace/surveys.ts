// The start page, and a workspace's surveys.

import { type Handler, page } from '../../http/handler.ts';
import type { ServerContext } from '../../server.ts';
import { memberPage, redirect, type VisitHandler, whoComes } from '../page.ts';
import { welcomePage } from '../sign-in/sign-in-view.ts';
import { surveysMain, workspacesMain } from './surveys-view.ts';

export const showStart = (context: ServerContext): Handler => {
  const list = memberPage(context, (visit) => visit.page({ title: 'Your workspaces' }, workspacesMain(visit.me.workspaces)));
  return async (request) => {
    const who = await whoComes(context, request);
    if (who === undefined) return page(200, welcomePage());
    const [only, ...others] = who.me.workspaces;
    return only !== undefined && others.length === 0 ? redirect(`/workspaces/${only.id}`) : list(request);
  };
};

export const showSurveys =
  ({ store }: ServerContext): VisitHandler =>
  async (visit) => {
    const workspace = visit.workspace(visit.param('workspace'));
    const surveys = await store.console.listSurveys(visit.session, workspace.id);
    return visit.page({ title: 'Surveys', workspace, tab: 'surveys' }, surveysMain(surveys, workspace));
  };
