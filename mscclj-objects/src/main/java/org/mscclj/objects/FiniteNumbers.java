package org.mscclj.objects;

import org.mscclj.api.error.InvalidArgumentException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.util.JsonParserDelegate;

/** A parser that refuses numbers which would overflow to infinity, because no rank writes infinity as a number. */
final class FiniteNumbers extends JsonParserDelegate {
    FiniteNumbers(JsonParser parser) {
        super(parser);
    }

    @Override
    public double getDoubleValue() {
        return finite(super.getDoubleValue(), "double");
    }

    @Override
    public float getFloatValue() {
        return (float) finite(super.getFloatValue(), "float");
    }

    @Override
    public Number getNumberValue() {
        Number number = super.getNumberValue();
        if (number instanceof Double || number instanceof Float) {
            double _ = finite(number.doubleValue(), "double");
        }
        return number;
    }

    private double finite(double value, String type) {
        if (Double.isInfinite(value)) {
            throw new InvalidArgumentException("the number at character "
                    + currentTokenLocation().getCharOffset() + " is too large for " + type
                    + "; allowed: the finite values of that type");
        }
        return value;
    }
}
