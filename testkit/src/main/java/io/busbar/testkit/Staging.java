package io.busbar.testkit;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts a compiled class on the {@link Stage}: a step before each look at one of its volatile fields
 * and each change of one, before each use of a variable handle and of a concurrent collection; and
 * the stage's clock, park and interrupts in place of the virtual machine's. What it does is its own
 * code.
 *
 * <p>The stage is sequentially consistent. So a staged class may share only what is so, too:
 * volatile fields, and variable handles in volatile mode; weaker modes are refused.
 *
 * @param loose variable handles whose value is only a hint: used in any mode, and no step
 */
public record Staging(Set<String> loose) {
  private static final ClassDesc STAGE = ClassDesc.of("io.busbar.testkit.Stage");
  private static final MethodTypeDesc STEP =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  private static final Set<String> REPLACED =
      Set.of(
          "java/lang/System.nanoTime",
          "java/lang/Thread.currentThread",
          "java/lang/Thread.interrupt",
          "java/lang/Thread.interrupted",
          "java/lang/Thread.isAlive",
          "java/lang/Thread.isInterrupted",
          "java/lang/Thread.join",
          "java/lang/Thread.onSpinWait",
          "java/lang/Thread.start",
          "java/util/concurrent/locks/LockSupport.park",
          "java/util/concurrent/locks/LockSupport.parkNanos",
          "java/util/concurrent/locks/LockSupport.unpark");

  private static final Set<String> HARMLESS =
      Set.of(
          "java/lang/Thread.isVirtual",
          "java/lang/Thread.ofPlatform",
          "java/lang/invoke/VarHandle.fullFence",
          "java/util/Iterator.hasNext");

  private static final Set<String> VOLATILE_MODES =
      Set.of("compareAndSet", "getAndAdd", "getAndSet", "getVolatile", "setVolatile");

  /** The class, with its steps. */
  public byte[] apply(byte[] compiled) {
    ClassFile files = ClassFile.of();
    ClassModel model = files.parse(compiled);
    Set<String> shared =
        model.fields().stream()
            .filter(field -> field.flags().has(AccessFlag.VOLATILE))
            .map(field -> field.fieldName().stringValue())
            .collect(Collectors.toSet());
    String type = model.thisClass().asInternalName();
    return files.transformClass(
        model,
        (builder, element) -> {
          if (element instanceof MethodModel method) {
            String name = method.methodName().stringValue();
            builder.transformMethod(
                method, MethodTransform.transformingCode(new Body(type, name, shared)));
          } else {
            builder.with(element);
          }
        });
  }

  private final class Body implements CodeTransform {
    private final String type;
    private final String method;
    private final Set<String> shared;
    private int line;
    private String handle = "";

    Body(String type, String method, Set<String> shared) {
      this.type = type;
      this.method = method;
      this.shared = shared;
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case FieldInstruction access -> onAccess(code, access);
        case InvokeInstruction call -> {
          onCall(code, call);
          return;
        }
        default -> {}
      }
      code.with(element);
    }

    private void onAccess(CodeBuilder code, FieldInstruction access) {
      String name = access.name().stringValue();
      if (access.typeSymbol().equals(ConstantDescs.CD_VarHandle)) {
        handle = name;
      } else if (access.owner().asInternalName().equals(type) && shared.contains(name)) {
        boolean read = access.opcode() == Opcode.GETFIELD || access.opcode() == Opcode.GETSTATIC;
        step(code, (read ? "reads " : "writes ") + name);
      }
    }

    private void onCall(CodeBuilder code, InvokeInstruction call) {
      String owner = call.owner().asInternalName();
      String name = call.name().stringValue();
      String full = owner + "." + name;
      if (REPLACED.contains(full)) {
        replace(code, call, name);
        return;
      }
      if (!HARMLESS.contains(full)) {
        if (owner.equals("java/lang/invoke/VarHandle")) {
          if (!loose.contains(handle)) {
            checkMode(name);
            step(code, name + " " + handle);
          }
        } else if (owner.startsWith("java/util/concurrent/")
            || owner.equals("java/util/Iterator")) {
          step(code, name);
        } else if (owner.equals("java/lang/Thread")) {
          throw new IllegalStateException(full + " in " + type + " is not known to the stage");
        }
      }
      code.with(call);
    }

    private void checkMode(String mode) {
      if (!VOLATILE_MODES.contains(mode)) {
        throw new IllegalStateException(
            "%s.%s uses %s with %s, which is not sequentially consistent"
                .formatted(type, method, handle, mode));
      }
    }

    private void step(CodeBuilder code, String what) {
      code.ldc("%s (%s, line %d)".formatted(what, method, line)).invokestatic(STAGE, "step", STEP);
    }

    private void replace(CodeBuilder code, InvokeInstruction call, String name) {
      MethodTypeDesc type = call.typeSymbol();
      boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
      code.invokestatic(
          STAGE, name, isStatic ? type : type.insertParameterTypes(0, call.owner().asSymbol()));
    }
  }
}
