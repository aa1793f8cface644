import * as combobox from "@zag-js/combobox";
import { mergeProps, normalizeProps, useMachine } from "@zag-js/react";
import { type FocusEvent, type KeyboardEvent, useId, useState } from "react";
import fieldStyles from "../field.module.css";
import { Icon } from "../icon.tsx";
import styles from "./combobox.module.css";
import { machine } from "./machine.ts";
import { type ComboboxOption, findingsText, matching } from "./options.ts";

interface ComboboxProps {
  label: string;
  options: readonly ComboboxOption[];
  value: string;
  /** Shown when nothing matches. */
  emptyText: string;
  disabled?: boolean;
  onChange(value: string): void;
}

/** The distance between field and list in px: `--space-1`. */
const gap = 4;

interface Search {
  typed: string;
  /** The option last highlighted by key or pointer; null: none since the last input. */
  highlighted: string | null;
}

/**
 * The option that Enter chooses: the highlighted one if it can be chosen, else the selected one, or the first match.
 */
function highlightedIn(found: readonly ComboboxOption[], { typed, highlighted }: Search, value: string): string | null {
  const canBeChosen = (wanted: string | null) => found.some((option) => option.value === wanted && !option.disabled);
  if (canBeChosen(highlighted)) return highlighted;
  if (typed === "" && canBeChosen(value)) return value;
  return found.find((option) => !option.disabled)?.value ?? null;
}

/** The machine of Zag.js, and the search that filters its list. */
function useCombobox({ options, value, disabled, onChange }: Omit<ComboboxProps, "label" | "emptyText">) {
  // Null while the list is closed and the field shows the selected option. The list opens with all options.
  const [search, setSearch] = useState<Search | null>(null);
  const found = search === null ? options : matching(options, search.typed);
  const chosen = options.find((option) => option.value === value)?.label ?? "";
  const service = useMachine(machine, {
    id: useId(),
    collection: combobox.collection({ items: found }),
    value: [value],
    inputValue: search?.typed ?? chosen,
    highlightedValue: search && highlightedIn(found, search, value),
    placeholder: chosen,
    disabled,
    openOnClick: true,
    loopFocus: false,
    positioning: { placement: "bottom-start", gutter: gap, restoreStyles: true },
    onOpenChange: ({ open }) => setSearch((now) => (open ? (now ?? { typed: "", highlighted: null }) : null)),
    onInputValueChange: ({ inputValue, reason }) => {
      if (reason === "input-change") setSearch({ typed: inputValue, highlighted: null });
    },
    onHighlightChange: ({ highlightedValue }) => setSearch((now) => now && { typed: now.typed, highlighted: highlightedValue }),
    onValueChange: ({ value: [next] }) => {
      if (next !== undefined && next !== value) onChange(next);
    },
  });
  const api = combobox.connect(service, normalizeProps);
  // Zag.js listens to events that close the list only from the next frame on. A fast user has left the field by then.
  const leaving = {
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) => {
      const list = document.getElementById(currentTarget.getAttribute("aria-controls") ?? "");
      if (!list?.contains(relatedTarget)) service.send({ type: "LAYER.INTERACT_OUTSIDE" });
    },
    onKeyDown: ({ key, nativeEvent }: KeyboardEvent<HTMLInputElement>) => {
      if (key === "Escape" && !nativeEvent.isComposing) service.send({ type: "LAYER.ESCAPE" });
    },
  };
  return { api, found, input: mergeProps(api.getInputProps(), leaving) };
}

/** A searchable select for long lists (ARIA Authoring Practices: editable combobox with list autocomplete). */
export function Combobox({ label, options, value, emptyText, disabled = false, onChange }: ComboboxProps) {
  const { api, found, input } = useCombobox({ options, value, disabled, onChange });
  return (
    // The list is placed beside this element, label included, and does not cover it.
    <div {...api.getControlProps()} className={`${fieldStyles.field} ${fieldStyles.chip}`}>
      <label {...api.getLabelProps()} htmlFor={input.id} className={fieldStyles.label}>
        {label}
      </label>
      <span className={styles.box}>
        <input {...input} className={fieldStyles.control} />
        <Icon name="search" />
      </span>
      <Popup api={api} found={found} value={value} emptyText={emptyText} />
    </div>
  );
}

interface ListProps {
  api: combobox.Api;
  found: readonly ComboboxOption[];
  value: string;
}

/**
 * The list below the field. Its live region exists before its text changes, or screen readers would not announce it.
 */
function Popup({ emptyText, ...list }: ListProps & { emptyText: string }) {
  const { api, found } = list;
  const { style, ...place } = api.getPositionerProps();
  return (
    <div {...place} className={styles.place} style={api.open ? style : undefined}>
      {api.open ? <List {...list} /> : null}
      <p role="status" className={found.length > 0 ? "visuallyHidden" : `${styles.sheet} ${styles.empty}`}>
        {api.open ? findingsText(found, emptyText) : ""}
      </p>
    </div>
  );
}

/**
 * Keeps the highlighted option visible when the list gets shorter, because it was placed or a phone's keyboard opened.
 */
function keepInSight(list: HTMLElement | null) {
  if (list === null) return undefined;
  const observer = new ResizeObserver(() => list.querySelector("[data-highlighted]")?.scrollIntoView({ block: "nearest" }));
  observer.observe(list);
  return () => observer.disconnect();
}

function List({ api, found, value }: ListProps) {
  return (
    // One element while the list is open, because a press outside of it closes it.
    <div {...api.getContentProps()} className={styles.sheet} hidden={found.length === 0} ref={keepInSight}>
      {[...Map.groupBy(found, ({ group }) => group)].map(([group, options], at) => (
        <div key={group} {...api.getItemGroupProps({ id: String(at) })}>
          <p {...api.getItemGroupLabelProps({ htmlFor: String(at) })} className={styles.group}>
            {group}
          </p>
          {options.map((option) => (
            <Option key={option.value} api={api} option={option} isChosen={option.value === value} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Option({ api, option, isChosen }: { api: combobox.Api; option: ComboboxOption; isChosen: boolean }) {
  const { label, detail, note } = option;
  const props = { ...api.getItemProps({ item: option, persistFocus: true }), "aria-selected": isChosen };
  return (
    <div {...props} className={styles.option}>
      <span>
        {label}
        {detail && detail !== label ? <span className={styles.detail}> {detail}</span> : null}
      </span>
      {note ? <span className={styles.note}>{note}</span> : null}
      {isChosen ? <Icon name="check" /> : null}
    </div>
  );
}
