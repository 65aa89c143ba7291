import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { referenceLayout } from './layout.ts';
import { localReferences } from './references.ts';
import { noteRefusal, showExplorer } from '../explorer.ts';
import { findCalls } from './find-call.ts';
import { pageToken } from '../token.ts';

/**
 * Replaces the page's plain list of routes with Swagger UI. The list stays until
 * Swagger UI has loaded, and permanently if it fails.
 */

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const list = document.getElementById('routes')!;
const reference = document.createElement('div');
reference.hidden = true;
list.before(reference);

/** Whether a call was refused because its token may do less. */
const isOfScope = ({ status, text }: { readonly status: number; readonly text?: string }): boolean =>
  status === 403 && text !== undefined && text.includes('"insufficient_scope"');

/** Whether the last call had a credential that was typed. */
let typed = false;

const swagger = SwaggerUI({
  domNode: reference,
  url: list.dataset.document,
  plugins: [referenceLayout, localReferences],
  layout: 'ReferenceLayout',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // What is said of each parameter of a body is in sight with its schema.
  defaultModelExpandDepth: 3,
  // A group of calls opens by a click. Of a long list of open ones, Swagger UI shows only what is in the window: then
  // neither a search in the page nor a screen reader finds the rest.
  docExpansion: 'none',
  // A credential is kept only while the page is open.
  persistAuthorization: false,
  // By default Swagger UI sends the document to a validator on the internet.
  validatorUrl: null,
  requestInterceptor(request) {
    // A path of a project that was typed as addresses have it would be encoded a second time.
    request.url = request.url.replaceAll('%252F', '%2F');
    const token = pageToken();
    const { headers } = request;
    typed = Boolean(headers['PRIVATE-TOKEN'] || headers.Authorization);
    if (token !== undefined && !typed) headers['PRIVATE-TOKEN'] = token;
    return request;
  },
  responseInterceptor(response) {
    if (response.status === 401) noteRefusal(typed ? 'typed' : 'own');
    else if (isOfScope(response) && !typed && pageToken() !== undefined) noteRefusal('change');
    return response;
  },
  // Otherwise the commands to copy would show the token of the page.
  showMutatedRequest: false,
  onComplete() {
    reference.hidden = false;
    findCalls(swagger.getSystem().specSelectors.specJson().get('paths').toJS(), show);
    list.remove();
    // Swagger UI opens what a link names, but it is drawn only now.
    followLink();
    leadToSubjects();
    addEventListener('hashchange', followLink);
  },
});

const menu = document.querySelector<HTMLDetailsElement>('.docs-menu > details')!;
/** The subjects by their names in the plain list. */
const subjectOf = new Map(
  [...menu.querySelectorAll<HTMLAnchorElement>('a[data-tag]')].map((link) => [link.hash.slice(1), link.dataset.tag!]),
);
const isWide = matchMedia('(min-width: 64rem)');
const foldMenu = () => void (menu.open = isWide.matches);
isWide.addEventListener('change', foldMenu);
foldMenu();

/** Makes the links of the menu open subjects of Swagger UI, whose addresses are others than those of the list. */
function leadToSubjects(): void {
  for (const link of menu.querySelectorAll<HTMLAnchorElement>('a[data-tag]')) {
    const tag = link.dataset.tag!;
    link.href = `#/${encodeURIComponent(tag)}`;
    link.addEventListener('click', () => {
      if (!isWide.matches) menu.open = false;
      showSubject(tag);
    });
  }
}

/**
 * Shows the subject or the call that the address names; a subject also as the plain list names it. Swagger UI adds a slash
 * to such a name.
 */
function followLink(): void {
  const [, name = '', operation] = /^#?\/?([^/]*)\/?(.*)$/.exec(location.hash)!.map(decodeURIComponent);
  if (operation) return show(name, operation);
  const subject = subjectOf.get(name) ?? name;
  if (subject) showSubject(subject);
}

// Swagger UI takes the address of the content for that of a subject, and changes it: the focus would be at the top again.
document.querySelector<HTMLAnchorElement>('a.skip')!.addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('content')!.focus();
});

/** Opens the calls of a subject and brings them into view. */
function showSubject(tag: string): void {
  swagger.getSystem().layoutActions.show(['operations-tag', tag], true);
  bringUp(`operations-tag-${tag.replaceAll(' ', '_')}`);
}

void showExplorer({ within: document.getElementById('explorer')! });

/** Opens a call and brings it into view. */
function show(tag: string, operation: string): void {
  const { layoutActions } = swagger.getSystem();
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, operation], true);
  bringUp(`operations-${tag.replaceAll(' ', '_')}-${operation}`);
}

/** Scrolls to a part of Swagger UI and puts the focus there, once it is drawn. */
function bringUp(id: string): void {
  setTimeout(() => {
    const part = document.getElementById(id);
    part?.scrollIntoView();
    part?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, 100);
}
