/** The server of the site, from which a preview takes live data. */
export interface LiveServer {
  /** URL of the server (BFF). */
  server: string;
  /** Identifies the viewer of tables. */
  viewer_token: string;
}

/** What the frame shows. It is sent to the frame as a message. */
export interface PreviewSettings {
  tag: string;
  /** Attributes of the element; an empty string sets a boolean attribute. */
  attributes: Record<string, string>;
  /** Custom properties of the element, such as `--connect-color-primary`. */
  styles?: Record<string, string>;
  /** A part of the element that is outlined. */
  part?: string;
  scheme: 'light' | 'dark';
  direction?: 'ltr' | 'rtl';
  /** Name of the view state that is shown with sample data. */
  state?: string;
  /** Whether to show sample data although the site has a server. */
  isSample?: boolean;
}

/** What the frame tells the page. */
export type PreviewMessage =
  { type: 'ready' } | { type: 'height'; height: number } | { type: 'states'; names: string[] };

/**
 * Loads the server that whoever serves the site has set in `playground.json`; null if there is none, as
 * in the exported files.
 *
 * Nothing else chooses the server, because its script runs in the site's origin.
 */
export const loadServer = (url: string): Promise<LiveServer | null> =>
  fetch(url)
    .then((response) => response.json() as Promise<LiveServer>)
    .then((found) => (found.server ? found : null))
    .catch(() => null);
