import { useSelector } from "@xstate/react";
import * as combobox from "@zag-js/combobox";
import { mergeProps, normalizeProps, useMachine } from "@zag-js/react";
import { useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { searchLimits } from "#contract/index.ts";
import { selectFailure, selectHits, selectIsSearching, selectWanted } from "#machines/search/selectors.ts";
import { machine } from "#src/ui/combobox/machine.ts";
import { Icon } from "#src/ui/icon.tsx";
import { openPaletteSearch } from "./actor.ts";
import { Marked } from "./hits.tsx";
import styles from "./palette.module.css";
import { type PaletteOption, paletteOptions } from "./palette-options.ts";

interface PaletteProps {
  /** The text that was typed before the palette was loaded. */
  typed: string;
  onClose(): void;
}

/** One search for transcripts, passages, pages and commands, available on every page. */
export function Palette({ typed, onClose }: PaletteProps) {
  const { t } = useTranslation("search");
  const dialog = useRef<HTMLDialogElement>(null);
  const search = openPaletteSearch();
  const close = () => {
    search.send({ type: "query.changed", query: "" });
    onClose();
  };
  const choose = ({ run }: PaletteOption) => {
    // Closes first, because that restores the focus, and the chosen option may move it.
    dialog.current?.close();
    close();
    run();
  };
  return (
    <dialog
      ref={(element) => {
        if (element && !element.open) {
          element.showModal();
          if (typed !== "") search.send({ type: "query.changed", query: typed });
        }
        dialog.current = element;
      }}
      closedby="any"
      className={`card ${styles.palette}`}
      aria-label={t("palette.title")}
      onClose={close}
    >
      <Choice search={search} onChoose={choose} onLeave={() => dialog.current?.close()} />
    </dialog>
  );
}

interface ChoiceProps {
  search: ReturnType<typeof openPaletteSearch>;
  onChoose(option: PaletteOption): void;
  onLeave(): void;
}

/**
 * The options, and the highlighted one that Enter chooses: the last one reached by key or pointer, or else the first.
 */
function useChoice({ search, onChoose, onLeave }: ChoiceProps) {
  const { t, i18n } = useTranslation("search");
  const { query } = useSelector(search, selectWanted);
  const hits = useSelector(search, selectHits);
  const [gone, setGone] = useState<string | null>(null);
  const options = useMemo(() => paletteOptions(t, i18n.language, query, hits), [t, i18n.language, query, hits]);
  const highlighted = options.find(({ value }) => value === gone) ?? options[0];
  const service = useMachine(machine, {
    id: useId(),
    open: true,
    disableLayer: true,
    collection: combobox.collection({ items: options }),
    value: [],
    inputValue: query,
    highlightedValue: highlighted?.value ?? null,
    allowCustomValue: true,
    closeOnSelect: false,
    selectionBehavior: "preserve",
    onInputValueChange: ({ inputValue, reason }) => {
      if (reason !== "input-change") return;
      setGone(null);
      search.send({ type: "query.changed", query: inputValue });
    },
    onHighlightChange: ({ highlightedValue }) => setGone(highlightedValue),
    onValueChange: ({ value: [chosen] }) => {
      const option = options.find(({ value }) => value === chosen);
      if (option !== undefined) onChoose(option);
    },
  });
  const api = combobox.connect(service, normalizeProps);
  // Zag.js would otherwise keep Escape from the dialog.
  const leaving: ReturnType<typeof api.getInputProps> = {
    onKeyDown: (event) => {
      if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
      event.preventDefault();
      onLeave();
    },
  };
  return { api, options, input: mergeProps(leaving, api.getInputProps()) };
}

function Choice(props: ChoiceProps) {
  const { t } = useTranslation("search");
  const { api, options, input } = useChoice(props);
  return (
    <div {...api.getControlProps()} className={styles.choice}>
      <label {...api.getLabelProps()} htmlFor={input.id} className="visuallyHidden">
        {t("palette.label")}
      </label>
      <span className={`line gap-3 soft ${styles.box}`}>
        <Icon name="search" />
        <input {...input} maxLength={searchLimits.query} placeholder={t("palette.label")} />
        <kbd>Esc</kbd>
      </span>
      <State search={props.search} count={options.length} />
      <Options api={api} options={options} />
    </div>
  );
}

/** The state of the search. The live region must exist before its text changes, or screen readers don't announce it. */
function State({ search, count }: Pick<ChoiceProps, "search"> & { count: number }) {
  const { t } = useTranslation("search");
  const searching = useSelector(search, selectIsSearching);
  const failure = useSelector(search, selectFailure);
  const { query } = useSelector(search, selectWanted);
  return (
    <>
      <p className="visuallyHidden" role="status">
        {searching ? t("searching") : query === "" ? "" : t("palette.count", { count })}
      </p>
      {failure === null ? null : (
        <p className={styles.failure} role="alert">
          {t(`errors.${failure}`)}
        </p>
      )}
    </>
  );
}

function Options({ api, options }: { api: combobox.Api; options: readonly PaletteOption[] }) {
  return (
    <div {...api.getContentProps()} className={styles.list}>
      {[...Map.groupBy(options, ({ group }) => group)].map(([group, items], at) => (
        <div key={group} {...api.getItemGroupProps({ id: String(at) })}>
          <p {...api.getItemGroupLabelProps({ htmlFor: String(at) })} className={`label ${styles.group}`}>
            {group}
          </p>
          {items.map((option) => (
            <Option key={option.value} api={api} option={option} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Option({ api, option }: { api: combobox.Api; option: PaletteOption }) {
  const { value, icon, label, marks, detail } = option;
  const props = {
    ...api.getItemProps({ item: option, persistFocus: true }),
    "aria-selected": value === api.highlightedValue,
  };
  return (
    <div {...props} className={styles.option}>
      <Icon name={icon} />
      <span className={`anywhere ${styles.label}`} dir="auto">
        <Marked text={label} marks={marks ?? []} />
      </span>
      {detail === undefined ? null : (
        <span className={`fine cut ${marks === undefined ? "" : styles.below}`} dir="auto">
          {detail}
        </span>
      )}
    </div>
  );
}
