import type { Component, SwaggerPlugin } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/**
 * A Swagger UI layout with credentials, operations and schemas only. The default
 * layout repeats the page's heading and nests a second `main` in ours.
 */
export const referenceLayout: SwaggerPlugin = ({ React: { createElement } }) => ({
  components: {
    // The default icon has no accessible name, so its button has none either.
    CloseIcon: () => createElement('span', { role: 'img', 'aria-label': 'Close' }, '✕'),
    // The default is a link inside the button that opens the operation.
    DeepLink: ({ text }) => createElement('span', null, text),
    ReferenceLayout({ getComponent }) {
      const part = (name: string, withState = true) => createElement(getComponent(name, withState) as Component);
      return createElement(
        'div',
        null,
        // Operations have h3 headings, which need an h2. It is outside `.swagger-ui`, which styles this class differently.
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
  wrapComponents: {
    // Each field for a credential takes the focus: the dialog would open at the last one instead of the first.
    Input: (Original) => (props) =>
      createElement(Original, { ...props, autoFocus: props.autoFocus && props.id === 'api_key_value' }),
    // Every call has a dozen errors, which are much the same: they are folded.
    responses: (Original) => (props) => {
      const isError = (_answer: unknown, status: string) => Number(status) >= 400;
      const { responses } = props;
      return createElement(
        'div',
        null,
        createElement(Original, { ...props, responses: responses.filterNot(isError) }),
        createElement(
          'details',
          { className: 'call-errors' },
          createElement('summary', null, `Errors: ${responses.filter(isError).keySeq().join(', ')}`),
          createElement(Original, { ...props, responses: responses.filter(isError), tryItOutResponse: undefined }),
        ),
      );
    },
  },
});
