import type { Component, SwaggerPlugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/**
 * What of Swagger UI the page shows: credentials, operations, schemas. Its usual
 * layout repeats the page's heading and has a `main` of its own inside ours.
 */
export const referenceLayout: SwaggerPlugin = ({ React: { createElement } }) => ({
  components: {
    // Its own is a drawing without a name, and so is the button around it.
    CloseIcon: () => createElement('span', { role: 'img', 'aria-label': 'Close' }, '✕'),
    // Its own is a link inside the button that opens the operation.
    DeepLink: ({ text }) => createElement('span', null, text),
    ReferenceLayout({ getComponent }) {
      const part = (name: string, withState = true) => createElement(getComponent(name, withState) as Component);
      return createElement(
        'div',
        null,
        // The headings of the operations are of the third level. Swagger UI has another use for this class, inside of it.
        createElement('h2', { className: 'hidden' }, 'Calls'),
        createElement(
          'div',
          { className: 'swagger-ui' },
          part('SvgAssets', false),
          createElement('div', { className: 'credentials' }, part('AuthorizeBtnContainer')),
          part('operations'),
          part('Models'),
        ),
      );
    },
  },
});
