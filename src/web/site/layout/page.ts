import type { OutgoingHttpHeaders } from 'node:http';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { Answer } from '../../../http/index.ts';

/** What one page's content security policy (CSP) allows beyond the common one. */
export interface Permissions {
  /** Run the gateway's own scripts. */
  readonly scripts?: boolean;
  /** Let its scripts send requests to the gateway. */
  readonly requests?: boolean;
  /** Show pages of the gateway in frames. */
  readonly frames?: boolean;
  /** Other sites to which its forms may redirect, as CSP sources. */
  readonly formsLeadTo?: readonly string[];
}

/**
 * An HTML document as an answer. Pages are rendered for each request and never
 * cached: what they show depends on the viewer.
 */
export function toAnswer(document: VNode, status = 200, permissions: Permissions = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(permissions) },
    body: `<!doctype html>${render(document)}`,
  };
}

function pageHeaders({
  scripts = false,
  requests = false,
  frames = false,
  formsLeadTo = [],
}: Permissions): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ...(scripts ? ["script-src 'self'"] : []),
    ...(requests ? ["connect-src 'self'"] : []),
    ...(frames ? ["frame-src 'self'"] : []),
    ["form-action 'self'", ...formsLeadTo].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  };
}
