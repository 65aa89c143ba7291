import type { Component, SwaggerPlugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/**
 * What of Swagger UI the page shows: credentials, operations, schemas. Its usual
 * layout repeats the page's heading and has a `main` of its own inside ours.
 */
export const referenceLayout: SwaggerPlugin = ({ React: { createElement } }) => ({
  components: {
    // Its own is a drawing without a name, and so is the button around it.
    CloseIcon: () => createElement('span', { role: 'img', 'aria-label': 'Close' }, '✕'),
    ReferenceLayout({ getComponent }) {
      const part = (name: string, withState = true) => createElement(getComponent(name, withState) as Component);
      return createElement(
        'div',
        { className: 'swagger-ui' },
        part('SvgAssets', false),
        createElement('div', { className: 'credentials' }, part('AuthorizeBtnContainer')),
        part('operations'),
        part('Models'),
      );
    },
  },
});
