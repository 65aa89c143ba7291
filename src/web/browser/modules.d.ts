/** The part that the reference page uses; the package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type { ComponentType, createElement, ReactNode } from 'react';

  export type Component = ComponentType;

  /** A plugin; Swagger UI passes the React that it runs on. */
  export type SwaggerPlugin = (system: { readonly React: { readonly createElement: typeof createElement } }) => {
    readonly components: {
      readonly [name: string]: (props: {
        getComponent(name: string, withState: boolean): unknown;
        readonly text: string;
      }) => ReactNode;
    };
  };

  export default function SwaggerUI(options: {
    readonly domNode: HTMLElement;
    readonly url: string | undefined;
    readonly plugins: readonly SwaggerPlugin[];
    readonly layout: string;
    readonly deepLinking: boolean;
    readonly displayRequestDuration: boolean;
    readonly defaultModelsExpandDepth: number;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly persistAuthorization: boolean;
    readonly validatorUrl: string | null;
    readonly onComplete: () => void;
  }): unknown;
}
