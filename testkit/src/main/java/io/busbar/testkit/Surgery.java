package io.busbar.testkit;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One change to one method of a compiled class.
 *
 * @param type the class, by its name without {@code io.busbar.}
 * @param method the method
 * @param what what must be found in it, for the complaint when it is not there
 * @param change makes the change; counts each place that it changed
 */
public record Surgery(
    String type,
    String method,
    String what,
    BiFunction<MethodTypeDesc, AtomicInteger, MethodTransform> change) {
  private static final int ALL = 0;

  /** The method does nothing but return a number; a method without result does nothing. */
  public static Surgery returns(String type, String method, long value) {
    return new Surgery(
        type,
        method,
        "a body",
        (descriptor, places) ->
            (builder, element) -> {
              if (element instanceof CodeModel) {
                places.incrementAndGet();
                builder.withCode(code -> returnConstant(code, descriptor.returnType(), value));
              } else {
                builder.with(element);
              }
            });
  }

  private static void returnConstant(CodeBuilder code, ClassDesc type, long value) {
    TypeKind kind = TypeKind.from(type);
    push(code, kind, value);
    code.return_(kind);
  }

  /** Something is done before the method's own first step. */
  public static Surgery first(String type, String method, Consumer<CodeBuilder> added) {
    return new Surgery(
        type,
        method,
        "a body",
        (descriptor, places) ->
            MethodTransform.transformingCode(
                CodeTransform.ofStateful(
                    () ->
                        new CodeTransform() {
                          @Override
                          public void atStart(CodeBuilder code) {
                            places.incrementAndGet();
                            added.accept(code);
                          }

                          @Override
                          public void accept(CodeBuilder code, CodeElement element) {
                            code.with(element);
                          }
                        })));
  }

  /** The method's result, which lies on the stack, is changed before it is returned. */
  public static Surgery result(String type, String method, Consumer<CodeBuilder> changed) {
    return places(
        type,
        method,
        "a return",
        ALL,
        element -> element instanceof ReturnInstruction,
        (code, element) -> {
          changed.accept(code);
          code.with(element);
        });
  }

  /** A call inside the method is left out; {@code value} puts its result on the stack. */
  public static Surgery without(
      String type, String method, String call, Consumer<CodeBuilder> value) {
    return without(type, method, call, ALL, value);
  }

  /** The same of one call alone: the first is number 1. */
  public static Surgery without(
      String type, String method, String call, int number, Consumer<CodeBuilder> value) {
    return places(
        type,
        method,
        "a call of " + call,
        number,
        element -> element instanceof InvokeInstruction invoke && invoke.name().equalsString(call),
        (code, element) -> {
          InvokeInstruction invoke = (InvokeInstruction) element;
          MethodTypeDesc called = invoke.typeSymbol();
          for (int i = called.parameterCount() - 1; i >= 0; i--) {
            pop(code, called.parameterType(i));
          }
          if (invoke.opcode() != Opcode.INVOKESTATIC) {
            code.pop();
          }
          value.accept(code);
        });
  }

  /** A call without a result is left out. */
  public static Surgery without(String type, String method, String call) {
    return without(type, method, call, code -> {});
  }

  /** Where the method reads a field, {@code value} puts something else on the stack. */
  public static Surgery reads(
      String type, String method, String field, Consumer<CodeBuilder> value) {
    return places(
        type,
        method,
        "a look at " + field,
        ALL,
        element ->
            element instanceof FieldInstruction read
                && read.name().equalsString(field)
                && (read.opcode() == Opcode.GETFIELD || read.opcode() == Opcode.GETSTATIC),
        (code, element) -> {
          if (((FieldInstruction) element).opcode() == Opcode.GETFIELD) {
            code.pop();
          }
          value.accept(code);
        });
  }

  /** The method does not write a field. */
  public static Surgery keeps(String type, String method, String field) {
    return places(
        type,
        method,
        "a change of " + field,
        ALL,
        element ->
            element instanceof FieldInstruction write
                && write.name().equalsString(field)
                && write.opcode() == Opcode.PUTFIELD,
        (code, element) -> {
          pop(code, ((FieldInstruction) element).typeSymbol());
          code.pop();
        });
  }

  private static Surgery places(
      String type,
      String method,
      String what,
      int number,
      Predicate<CodeElement> found,
      BiConsumer<CodeBuilder, CodeElement> change) {
    return new Surgery(
        type,
        method,
        what,
        (descriptor, places) -> {
          AtomicInteger seen = new AtomicInteger();
          return MethodTransform.transformingCode(
              (code, element) -> {
                if (found.test(element) && (seen.incrementAndGet() == number || number == ALL)) {
                  places.incrementAndGet();
                  change.accept(code, element);
                } else {
                  code.with(element);
                }
              });
        });
  }

  private static void pop(CodeBuilder code, ClassDesc type) {
    if (TypeKind.from(type).slotSize() == 2) {
      code.pop2();
    } else {
      code.pop();
    }
  }

  private static void push(CodeBuilder code, TypeKind kind, long value) {
    switch (kind) {
      case VOID -> {}
      case LONG -> code.loadConstant(value);
      case BOOLEAN, BYTE, CHAR, SHORT, INT -> code.loadConstant((int) value);
      default -> throw new IllegalArgumentException("no constant of kind " + kind);
    }
  }

  /** Makes the change; complains when there is nothing to change. */
  public byte[] apply(byte[] compiled) {
    ClassFile files = ClassFile.of();
    ClassModel model = files.parse(compiled);
    AtomicInteger places = new AtomicInteger();
    byte[] changed =
        files.transformClass(
            model,
            (builder, element) -> {
              if (element instanceof MethodModel found && found.methodName().equalsString(method)) {
                builder.transformMethod(found, change.apply(found.methodTypeSymbol(), places));
              } else {
                builder.with(element);
              }
            });
    if (places.get() == 0) {
      throw new IllegalStateException(
          "%s.%s with %s is no longer there: name what replaced it".formatted(type, method, what));
    }
    return changed;
  }
}
