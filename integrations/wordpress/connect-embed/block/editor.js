/** The block “Donation form” in the editor. Plain JavaScript, so that the plugin needs no build. */
(function (wp) {
  const { createElement: el, useEffect, useState } = wp.element;
  const { __, sprintf } = wp.i18n;
  const { InspectorControls, useBlockProps } = wp.blockEditor;
  const { ExternalLink, Notice, PanelBody, Placeholder, SelectControl, Spinner, TextControl } =
    wp.components;

  /** The languages of the form, by their own names. */
  const LANGUAGES = {
    ar: 'العربية',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fr: 'Français',
    he: 'עברית',
    hi: 'हिन्दी',
    it: 'Italiano',
    ja: '日本語',
    nl: 'Nederlands',
    pt: 'Português',
    zh: '中文',
  };

  /** Height of the preview until the form is loaded, in pixels. */
  const INITIAL_HEIGHT = 480;

  let pendingConnection;

  /** Loads the forms and the state of the connection from this website, once for all blocks. */
  function useConnection() {
    const [connection, setConnection] = useState();
    useEffect(() => {
      pendingConnection ??= wp.apiFetch({ path: '/connect-embed/v1/editor' });
      pendingConnection.then(setConnection, (error) =>
        setConnection({ connected: true, forms: [], allowed: true, problem: error.message }),
      );
    }, []);
    return connection;
  }

  /** The field that chooses the form: from the list, or by its name if there is no list. */
  function FormField({ connection, attributes, setAttributes }) {
    const value = attributes.form;
    const onChange = (form) => setAttributes({ form });
    const [typed, setTyped] = useState(value);
    const label = __('Form', 'connect-embed');
    if (connection.forms.length === 0) {
      const help = __('The name of the form, as in its code on the Share page.', 'connect-embed');
      const commit = () => onChange(typed.trim());
      return el(TextControl, { label, help, value: typed, onChange: setTyped, onBlur: commit });
    }
    const options = connection.forms.map(({ slug, name }) => ({
      value: slug,
      // Several forms can have the same title.
      label: name === slug ? slug : `${name} (${slug})`,
    }));
    if (!options.some((option) => option.value === value)) {
      // A form that is closed or deleted stays chosen until somebody chooses another one.
      const missing = value
        ? /* translators: %s: name of a form that is not in the list. */
          sprintf(__('%s (not found)', 'connect-embed'), value)
        : __('Choose a form', 'connect-embed');
      options.unshift({ value, label: missing });
    }
    return el(SelectControl, { label, options, value, onChange });
  }

  function Settings({ connection, attributes, setAttributes }) {
    const select = (name, label, choices) =>
      el(SelectControl, {
        label,
        value: attributes[name],
        options: Object.entries(choices).map(([value, text]) => ({ value, label: text })),
        onChange: (value) => setAttributes({ [name]: value }),
      });
    return el(
      InspectorControls,
      null,
      el(
        PanelBody,
        { title: __('Donation form', 'connect-embed') },
        el(FormField, { connection, attributes, setAttributes }),
        select('display', __('Display', 'connect-embed'), {
          inline: __('Form on the page', 'connect-embed'),
          button: __('Button that opens the form', 'connect-embed'),
          sticky: __('Button that stays in view', 'connect-embed'),
        }),
        select('language', __('Language', 'connect-embed'), {
          '': __('Language of the page', 'connect-embed'),
          ...LANGUAGES,
        }),
      ),
    );
  }

  /** The real form in a frame, which sets its own height. */
  function Preview({ url }) {
    // Otherwise the browser blocks the frame, or does not know there who is signed in.
    if (new URL(url).origin !== window.location.origin) {
      return el(
        'p',
        null,
        __(
          'The form is on the published page. It cannot be shown here, because your website and its administration have different addresses. Both are under Settings › General.',
          'connect-embed',
        ),
      );
    }
    return el('iframe', {
      src: url,
      title: __('Preview of the donation form', 'connect-embed'),
      tabIndex: -1,
      style: {
        display: 'block',
        width: '100%',
        height: INITIAL_HEIGHT,
        border: 0,
        pointerEvents: 'none',
      },
    });
  }

  function previewUrl(connection, { form, display, language }) {
    const parameters = { form, display };
    if (language) parameters.locale = language;
    return wp.url.addQueryArgs(connection.previewUrl, parameters);
  }

  /** What keeps the form from appearing on the page. */
  function problemOf(connection) {
    if (connection.problem) return connection.problem;
    return connection.allowed
      ? ''
      : __(
          'This website is not allowed to show the form yet. An administrator can ask for it under Settings › Connect Embed.',
          'connect-embed',
        );
  }

  function SettingsLink({ connection }) {
    return connection.settingsUrl
      ? el(
          ExternalLink,
          { href: connection.settingsUrl },
          __('Open the settings of Connect Embed', 'connect-embed'),
        )
      : null;
  }

  function ChooseForm({ connection, attributes, setAttributes }) {
    const icon = 'heart';
    const label = __('Donation form', 'connect-embed');
    if (!connection.connected) {
      const instructions = __(
        'An administrator has to enter the address of your server under Settings › Connect Embed first.',
        'connect-embed',
      );
      return el(Placeholder, { icon, label, instructions }, el(SettingsLink, { connection }));
    }
    return el(
      Placeholder,
      { icon, label },
      el(FormField, { connection, attributes, setAttributes }),
    );
  }

  function Edit({ attributes, setAttributes }) {
    const blockProps = useBlockProps();
    const connection = useConnection();
    if (!connection) return el('div', blockProps, el(Spinner));
    const problem = problemOf(connection);
    const isReady = connection.connected && attributes.form;
    const url = isReady && connection.previewUrl ? previewUrl(connection, attributes) : '';
    return el(
      'div',
      blockProps,
      connection.connected && el(Settings, { connection, attributes, setAttributes }),
      problem &&
        el(
          Notice,
          { status: 'warning', isDismissible: false },
          el('p', null, problem),
          el(SettingsLink, { connection }),
        ),
      isReady
        ? // A new key loads the page again instead of adding an entry to the history of the tab.
          connection.allowed && url && el(Preview, { key: url, url })
        : el(ChooseForm, { connection, attributes, setAttributes }),
    );
  }

  wp.blocks.registerBlockType('connect-embed/donation-form', { edit: Edit, save: () => null });
})(window.wp);
