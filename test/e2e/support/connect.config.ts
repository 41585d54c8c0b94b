import demo from '@connect-embed/demo/connect.config.ts';

/**
 * The demo's forms, for two journeys at a time that open page after page from one machine. That a
 * crowd of tables keeps no gift waiting has its own tests; the pace of the credential stays as it is.
 */
export default { ...demo, limits: { components: { points: 1000, seconds: 10 } } };
