package org.mscclj.plan.validation;

/**
 * The name of an item of a list in a plan, or of a field of an item. The text is made only for a message.
 *
 * @param list the name of the list
 * @param index the position of the item
 * @param field the name of the field, with a dot before it; empty for the item
 */
record ListItem(String list, int index, String field) {
    /** The name of an item. */
    ListItem(String list, int index) {
        this(list, index, "");
    }

    /** The name of a field of this item. */
    ListItem field(String name) {
        return new ListItem(list, index, "." + name);
    }

    @Override
    public String toString() {
        return list + "[" + index + "]" + field;
    }
}
