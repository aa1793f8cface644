import * as combobox from "@zag-js/combobox";

const { implementations } = combobox.machine;

/** On Apple systems, VoiceOver does not read the highlighted option by itself. */
const isApple = () => /^(Mac|iP)/.test(navigator.platform);

/**
 * The machine of Zag.js. Announces the highlighted option in the page's language (Zag.js adds the English ",
 * selected").
 */
export const machine: typeof combobox.machine = {
  ...combobox.machine,
  implementations: {
    ...implementations,
    actions: {
      ...implementations?.actions,
      announceHighlightedItem: ({ context, prop, refs }) => {
        const text = isApple() ? prop("collection").stringify(context.get("highlightedValue")) : null;
        if (text) refs.get("liveRegion")?.announce(text);
      },
    },
  },
};
