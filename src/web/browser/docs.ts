import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { referenceLayout } from './docs-layout.ts';

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

SwaggerUI({
  domNode: reference,
  url: list.dataset.document,
  plugins: [referenceLayout],
  layout: 'ReferenceLayout',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // A group of calls opens by a click. Of a long list of open ones, Swagger UI shows only what is in the window: then
  // neither a search in the page nor a screen reader finds the rest.
  docExpansion: 'none',
  // A credential is kept only while the page is open.
  persistAuthorization: false,
  // By default Swagger UI sends the document to a validator on the internet.
  validatorUrl: null,
  onComplete() {
    reference.hidden = false;
    list.remove();
  },
});
