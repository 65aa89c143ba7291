/** The part that the reference page uses; the package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type { ComponentType, createElement, ReactNode } from 'react';

  export type Component = ComponentType;

  /** A plugin; Swagger UI passes the React that it runs on. */
  export type SwaggerPlugin = (system: { readonly React: { readonly createElement: typeof createElement } }) => {
    readonly fn?: {
      /** Resolves the references of a part of the document. */
      resolveSubtree(document: unknown, path: readonly string[]): Promise<{ spec: unknown; errors: readonly Error[] }>;
    };
    readonly components?: {
      readonly [name: string]: (props: {
        getComponent(name: string, withState: boolean): unknown;
        readonly text: string;
      }) => ReactNode;
    };
    readonly wrapComponents?: {
      readonly Input: (original: ComponentType<InputProps>) => (props: InputProps) => ReactNode;
      readonly responses: (original: ComponentType<ResponsesProps>) => (props: ResponsesProps) => ReactNode;
    };
  };

  /** Answers by their status, as an immutable map. */
  interface Answers {
    filter(test: (answer: unknown, status: string) => boolean): Answers;
    filterNot(test: (answer: unknown, status: string) => boolean): Answers;
    keySeq(): { join(separator: string): string };
  }

  interface InputProps {
    readonly id?: string;
    readonly autoFocus?: boolean | undefined;
  }

  interface ResponsesProps {
    readonly responses: Answers;
    /** What came when the call was tried. */
    readonly tryItOutResponse?: unknown;
  }

  export default function SwaggerUI(options: {
    readonly domNode: HTMLElement;
    readonly url: string | undefined;
    readonly plugins: readonly SwaggerPlugin[];
    readonly layout: string;
    readonly deepLinking: boolean;
    readonly displayRequestDuration: boolean;
    readonly defaultModelsExpandDepth: number;
    readonly defaultModelExpandDepth: number;
    readonly docExpansion: 'list' | 'full' | 'none';
    readonly persistAuthorization: boolean;
    readonly validatorUrl: string | null;
    readonly showMutatedRequest: boolean;
    readonly requestInterceptor: <Sent extends { url: string; headers: Record<string, string> }>(request: Sent) => Sent;
    readonly responseInterceptor: <Received extends { readonly status: number }>(response: Received) => Received;
    readonly onComplete: () => void;
  }): {
    getSystem(): {
      readonly layoutActions: { show(path: readonly string[], isShown: boolean): void };
      readonly specSelectors: { specJson(): { get(name: 'paths'): { toJS(): import('./find-call.ts').Paths } } };
    };
  };
}
