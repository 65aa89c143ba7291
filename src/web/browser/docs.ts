import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { referenceLayout } from './docs-layout.ts';

/**
 * Puts Swagger UI where the page has a plain list of the routes. The list stays
 * until the reference is there, and for good where it can't be made.
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
  // A credential lives as long as the page, and no longer.
  persistAuthorization: false,
  // By default the document is sent to a service elsewhere, to be judged.
  validatorUrl: null,
  onComplete() {
    reference.hidden = false;
    list.remove();
  },
});
