import {
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import styles from "./field.module.css";
import { Icon } from "./icon.tsx";

interface Labelled {
  label: string;
  /** The label is only for screen readers (a search field with an icon). */
  labelHidden?: boolean;
  /** A pill with its label inside, for choices in a row. */
  chip?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
}

function useDescription({ hint, error }: Pick<Labelled, "hint" | "error">) {
  const id = useId();
  const describedBy = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return { id, describedBy: describedBy || undefined };
}

function Around({ id, label, labelHidden, chip, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className={`${styles.field} ${chip ? styles.chip : ""}`}>
      <label htmlFor={id} className={labelHidden ? "visuallyHidden" : styles.label}>
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${id}-error`} className={styles.error}>
          <Icon name="warning" />
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** A single-line text field with its label, hint and error, associated for screen readers. */
export function TextField({ label, labelHidden, hint, error, ...input }: Labelled & ComponentProps<"input">) {
  const { id, describedBy } = useDescription({ hint, error });
  return (
    <Around id={id} label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <Input
        {...input}
        id={id}
        className={styles.control}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
    </Around>
  );
}

/** The user can show the password while typing, which reveals a wrong letter sooner than three refusals. */
function Input(input: ComponentProps<"input">) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  if (input.type !== "password") return <input {...input} />;
  return (
    <span className={styles.secret}>
      <input {...input} type={isShown ? "text" : "password"} spellCheck={false} autoCapitalize="off" />
      <button
        type="button"
        aria-label={t("showTyped")}
        title={t("showTyped")}
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon name={isShown ? "eyeOff" : "eye"} />
      </button>
    </span>
  );
}

/** A multi-line text field that grows with its content. */
export function TextArea({ label, labelHidden, hint, error, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const { id, describedBy } = useDescription({ hint, error });
  return (
    <Around id={id} label={label} labelHidden={labelHidden} hint={hint} error={error}>
      <textarea
        rows={6}
        {...area}
        id={id}
        className={`${styles.control} ${styles.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
    </Around>
  );
}

/** The options of a select: each with its value and name. */
export function Options({ of }: { of: readonly (readonly [value: string | number, name: ReactNode])[] }) {
  return of.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}

/** A select: the browser's own control, for keyboards and screen readers. */
export function SelectField({
  label,
  labelHidden,
  chip,
  hint,
  error,
  children,
  ...select
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const { id, describedBy } = useDescription({ hint, error });
  return (
    <Around id={id} label={label} labelHidden={labelHidden} chip={chip} hint={hint} error={error}>
      <select {...select} id={id} className={styles.control} aria-describedby={describedBy}>
        {children}
      </select>
    </Around>
  );
}

interface ChoiceFieldProps<Value extends string> extends Omit<ComponentProps<typeof SelectField>, "children" | "onChange"> {
  value: Value;
  values: readonly Value[];
  /** A value's text in the page's language. */
  textOf(value: Value): string;
  onChoose(value: Value): void;
}

/** A select of a list of values. */
export function ChoiceField<Value extends string>({ value, values, textOf, onChoose, ...select }: ChoiceFieldProps<Value>) {
  return (
    <SelectField
      {...select}
      value={value}
      onChange={({ target }) => onChoose(values.find((one) => one === target.value) ?? value)}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {textOf(one)}
        </option>
      ))}
    </SelectField>
  );
}
